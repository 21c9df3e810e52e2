"""From results to text: documents, pages and writers."""
