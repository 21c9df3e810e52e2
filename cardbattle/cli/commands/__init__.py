"""Commands about battles, odds and rules; one module each."""
