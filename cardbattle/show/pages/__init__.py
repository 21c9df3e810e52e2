"""The pages: each turns what was fought, counted or kept into a document."""
