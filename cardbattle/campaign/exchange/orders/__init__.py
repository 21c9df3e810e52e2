"""Read the orders to move in players' messages."""
