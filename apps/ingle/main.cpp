#include "ingle/app.h"

int main(int argc, char** argv) { return ingle::app::run_app({argv, argv + argc}, {}); }
