/* Its ICU types, which no function here has, would stand beside those of Foundation's own ICU, defined otherwise: a program
   that sees both does not compile. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>

/* The library's own error output is a function with a variable number of arguments, which Swift cannot write. */
static inline void gantryXMLIgnoreMessage(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

/* Silences the library's error output on this thread: what matters arrives through the parser's own handler. */
static inline void gantryXMLSilence(void) { xmlSetGenericErrorFunc(NULL, gantryXMLIgnoreMessage); }

/* The encoded bytes of an input that are not yet decoded. */
static inline size_t gantryXMLUndecodedBytes(xmlParserCtxtPtr parser) {
  if (parser->input == NULL || parser->input->buf == NULL || parser->input->buf->raw == NULL) return 0;
  return xmlBufUse(parser->input->buf->raw);
}
