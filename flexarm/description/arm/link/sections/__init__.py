"""Cross-sections of a link: shapes with sizes, constant or tapered, properties from tables, outlines."""
