// check.h: all that these tests need of a framework. TEST("a sentence") { … }
// registers itself; a CHECK that fails is printed and the test goes on.
#pragma once

#include <cstddef>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ludorum::testing {

struct Test {
    std::string sentence;
    std::function<void()> body;
};

std::vector<Test>& tests();
void fail(const char* file, int line, const std::string& what);

struct Registration {
    Registration(std::string sentence, std::function<void()> body) { tests().push_back({std::move(sentence), std::move(body)}); }
};

}  // namespace ludorum::testing

#define LUDORUM_JOIN_(a, b) a##b
#define LUDORUM_JOIN(a, b) LUDORUM_JOIN_(a, b)

#define TEST(sentence)                                                                                             \
    static void LUDORUM_JOIN(test_, __LINE__)();                                                                   \
    static const ludorum::testing::Registration LUDORUM_JOIN(registration_, __LINE__)(sentence,                    \
                                                                                      LUDORUM_JOIN(test_, __LINE__)); \
    static void LUDORUM_JOIN(test_, __LINE__)()

#define CHECK(condition)                                                                \
    do {                                                                                \
        if (!(condition)) ludorum::testing::fail(__FILE__, __LINE__, #condition);       \
    } while (false)

// The exception must be of this type and its message contain this text.
#define CHECK_THROWS(type, text, expression)                                                                       \
    do {                                                                                                           \
        try {                                                                                                      \
            expression;                                                                                            \
            ludorum::testing::fail(__FILE__, __LINE__, std::string("nothing was thrown, expected: ") + (text));    \
        } catch (const type& error) {                                                                              \
            if (std::string(error.what()).find(text) == std::string::npos)                                         \
                ludorum::testing::fail(__FILE__, __LINE__, std::string("expected: ") + (text) + "; thrown: " + error.what()); \
        }                                                                                                          \
    } while (false)
