"""Writers: each turns any document into one output format."""
