"""Messages to players of a campaign: orders, retreats, battles and replies."""
