// dictionary.h: numbers for terms that all threads share.
//
// Terms come as texts (see terms.h) and are numbered as they come.
//
// Threads: all methods may be called from several threads at once.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <string>
#include <vector>

namespace ludorum::relations {

class Dictionary {
public:
    std::uint32_t number(const std::vector<std::int32_t>& text) {
        const std::string key(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(std::int32_t));
        const std::lock_guard guard(mutex_);
        const auto [place, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(texts_.size()));
        if (is_new) texts_.push_back(text);
        return place->second;
    }

    // Requires: the number was given out.
    std::vector<std::int32_t> text(std::uint32_t number) const {
        const std::lock_guard guard(mutex_);
        return texts_.at(number);
    }

    std::uint32_t size() const {
        const std::lock_guard guard(mutex_);
        return static_cast<std::uint32_t>(texts_.size());
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::deque<std::vector<std::int32_t>> texts_;
};

}  // namespace ludorum::relations
