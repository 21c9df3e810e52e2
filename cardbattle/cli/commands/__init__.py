"""Commands about battles, odds and rules, with one module for each command or group of commands."""
