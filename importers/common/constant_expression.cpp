#include "importers/common/constant_expression.h"

#include <charconv>

namespace twolane {
namespace {

constexpr int deepest = 64;

class Evaluator {
public:
    explicit Evaluator(std::string_view text)
        : m_text(text) {}

    std::optional<std::uint64_t> run() {
        const std::uint64_t value = binary(0, 0);
        skipSpace();
        if (m_failed || m_at != m_text.size())
            return std::nullopt;
        return value;
    }

private:
    struct Operator {
        std::string_view text;
        int level; // binds the tighter the higher
    };
    // "<<" and ">>" are the only ones of two characters; none begins another.
    static constexpr Operator operators[] = {{"|", 1},  {"^", 2}, {"&", 3}, {"<<", 4},
                                             {">>", 4}, {"+", 5}, {"-", 5}, {"*", 6}};

    void skipSpace() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
            ++m_at;
    }

    const Operator* peekOperator() {
        skipSpace();
        for (const Operator& op : operators)
            if (m_text.substr(m_at, op.text.size()) == op.text)
                return &op;
        return nullptr;
    }

    std::uint64_t binary(int minLevel, int depth) {
        std::uint64_t left = unary(depth);
        while (!m_failed) {
            const Operator* op = peekOperator();
            if (!op || op->level <= minLevel)
                break;
            m_at += op->text.size();
            left = apply(*op, left, binary(op->level, depth + 1));
        }
        return left;
    }

    std::uint64_t apply(const Operator& op, std::uint64_t left, std::uint64_t right) {
        switch (op.text[0]) {
        case '|':
            return left | right;
        case '^':
            return left ^ right;
        case '&':
            return left & right;
        case '+':
            return left + right;
        case '-':
            return left - right;
        case '*':
            return left * right;
        default:
            if (right >= 64)
                return fail();
            return op.text[0] == '<' ? left << right : left >> right;
        }
    }

    std::uint64_t unary(int depth) {
        bool invert = false;
        bool negate = false;
        // Signs are folded in a loop, so that a long row of them needs no stack.
        for (;; ++m_at) {
            skipSpace();
            if (m_at >= m_text.size())
                return fail();
            if (m_text[m_at] == '~' && !negate)
                invert = !invert;
            else if (m_text[m_at] == '-' && !invert)
                negate = !negate;
            else
                break;
        }
        const std::uint64_t value = primary(depth);
        if (invert)
            return ~value;
        return negate ? std::uint64_t{0} - value : value;
    }

    std::uint64_t primary(int depth) {
        if (depth > deepest || m_at >= m_text.size())
            return fail();
        if (m_text[m_at] == '(') {
            ++m_at;
            const std::uint64_t value = binary(0, depth + 1);
            skipSpace();
            if (m_at >= m_text.size() || m_text[m_at] != ')')
                return fail();
            ++m_at;
            return value;
        }
        return number();
    }

    std::uint64_t number() {
        int base = 10;
        if (m_text.substr(m_at, 2) == "0x" || m_text.substr(m_at, 2) == "0X") {
            base = 16;
            m_at += 2;
        }
        std::uint64_t value = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, code] = std::from_chars(begin, m_text.data() + m_text.size(), value, base);
        if (code != std::errc{})
            return fail();
        m_at += static_cast<std::size_t>(end - begin);
        for (int i = 0; i < 3 && m_at < m_text.size(); ++i) {
            const char c = m_text[m_at];
            if (c != 'u' && c != 'U' && c != 'l' && c != 'L')
                break;
            ++m_at;
        }
        return value;
    }

    std::uint64_t fail() {
        m_failed = true;
        return 0;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_failed = false;
};

} // namespace

std::optional<std::uint64_t> evaluateConstant(std::string_view text) {
    return Evaluator(text).run();
}

} // namespace twolane
