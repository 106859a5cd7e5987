#include "ingle/gguf/gguf.h"
