// main.cpp: runs the tests whose sentence contains the argument; all of them without one.
#include <exception>
#include <iostream>
#include <string>

#include "tests/check.h"

namespace ludorum::testing {

namespace {

int failures = 0;

// A loop of checks that all fail for one reason should not hide the first of them.
constexpr int kMostShown = 10;

}  // namespace

std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

void fail(const char* file, int line, const std::string& what) {
    if (++failures <= kMostShown) std::cout << "    " << file << ":" << line << ": " << what << "\n";
}

int run(const std::string& part) {
    int failed = 0, ran = 0;
    for (const Test& test : tests()) {
        if (test.sentence.find(part) == std::string::npos) continue;
        failures = 0;
        try {
            test.body();
        } catch (const std::exception& error) {
            fail(__FILE__, __LINE__, std::string("thrown: ") + error.what());
        }
        ++ran;
        failed += failures != 0;
        std::cout << (failures ? "FAILED  " : "ok      ") << test.sentence;
        if (failures > kMostShown) std::cout << " (" << failures << " checks failed)";
        std::cout << std::endl;
    }
    std::cout << ran << " tests, " << failed << " failed\n";
    return failed || ran == 0;
}

}  // namespace ludorum::testing

int main(int count, char** arguments) { return ludorum::testing::run(count > 1 ? arguments[1] : ""); }
