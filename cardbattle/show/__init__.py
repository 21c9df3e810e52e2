"""Turn results into text: documents describe content, pages build documents, and writers format them."""
