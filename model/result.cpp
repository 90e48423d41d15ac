#include "model/result.h"

namespace twolane {

std::string Error::message() const {
    std::string text = file;
    if (!text.empty())
        text += ": ";
    text += what;
    if (!where.empty())
        text += ", at " + where;
    if (!remedy.empty())
        text += "; " + remedy;
    return text;
}

} // namespace twolane
