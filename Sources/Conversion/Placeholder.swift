// Conversion
