// Operations on automata by the library Mata, asked for on standard input and answered on standard output: the
// protocol is that of Brics.java, which describes it.
//
// Mata's symbols are numbers without ranges. As its authors do, characters that no label of the two automata tells
// apart are one symbol; finding them, and making the library's objects, is the time of rebuilding. Epsilon moves are
// eliminated by the library.
//
// A difference is the intersection with a complement, which is made. With the argument "lazy" it is the library's test
// for inclusion by antichains, which gives a word where it fails.

#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mata/alphabet.hh"
#include "mata/nfa/nfa.hh"

#ifndef MATA_VERSION
#define MATA_VERSION "of unknown version"
#endif

namespace {

using mata::Symbol;
using mata::nfa::Nfa;
using mata::nfa::State;

struct Move {
    State from, to;
    std::uint32_t first, last;
};

// An automaton as it was described.
struct Description {
    std::size_t states = 1;
    State initial = 0;
    std::vector<State> finals;
    std::vector<std::pair<State, State>> epsilons;
    std::vector<Move> moves;
};

struct Operation {
    bool difference;
    std::size_t left, right;
};

// Intervals of characters that no label tells apart, by their first characters, each with its symbol: equal for those
// that lie in the same labels.
class Symbols {
  public:
    Symbols(const Description &left, const Description &right) {
        // What begins at a character, and ends before it: labels by number.
        std::map<std::uint32_t, std::vector<std::pair<std::size_t, bool>>> borders;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> labels;
        for (const Description *side : {&left, &right}) {
            for (const Move &move : side->moves) {
                auto [place, fresh] = labels.emplace(std::make_pair(move.first, move.last), labels.size());
                if (fresh) {
                    borders[move.first].emplace_back(place->second, true);
                    borders[move.last + 1].emplace_back(place->second, false);
                }
            }
        }
        std::map<std::vector<bool>, Symbol> known;
        std::vector<bool> inside(labels.size(), false);
        std::size_t count = 0;
        for (const auto &[character, changes] : borders) {
            for (auto [label, begins] : changes) {
                inside[label] = begins;
                begins ? ++count : --count;
            }
            if (count == 0) {
                intervals_[character] = std::nullopt;
                continue;
            }
            auto [place, fresh] = known.emplace(inside, static_cast<Symbol>(known.size()));
            if (fresh) {
                examples_.push_back(character);
            }
            intervals_[character] = place->second;
        }
    }

    // The symbols of the characters from `first` to `last`, which are a label.
    std::vector<Symbol> of(std::uint32_t first, std::uint32_t last) const {
        std::vector<Symbol> all;
        for (auto place = intervals_.find(first); place != intervals_.end() && place->first <= last; ++place) {
            if (place->second) {
                all.push_back(*place->second);
            }
        }
        return all;
    }

    std::uint32_t example(Symbol symbol) const { return examples_.at(symbol); }

    mata::utils::OrdVector<Symbol> all() const {
        mata::utils::OrdVector<Symbol> symbols;
        for (Symbol symbol = 0; symbol < examples_.size(); ++symbol) {
            symbols.push_back(symbol);
        }
        return symbols;
    }

  private:
    std::map<std::uint32_t, std::optional<Symbol>> intervals_;
    std::vector<std::uint32_t> examples_;
};

Nfa build(const Description &description, const Symbols &symbols) {
    Nfa made(description.states);
    made.initial.insert(description.initial);
    for (State state : description.finals) {
        made.final.insert(state);
    }
    for (auto [from, to] : description.epsilons) {
        made.delta.add(from, mata::nfa::EPSILON, to);
    }
    for (const Move &move : description.moves) {
        for (Symbol symbol : symbols.of(move.first, move.last)) {
            made.delta.add(move.from, symbol, move.to);
        }
    }
    return made;
}

void answer(const Operation &operation, const Description &left_text, const Description &right_text, bool lazy,
            std::ostream &out) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const Symbols symbols(left_text, right_text);
    Nfa left = build(left_text, symbols);
    Nfa right = build(right_text, symbols);
    const auto built = Clock::now();
    left.remove_epsilon();
    right.remove_epsilon();
    const auto closed = Clock::now();
    bool empty;
    std::size_t states = 0;
    std::optional<mata::Word> word;
    Nfa made;
    if (operation.difference && lazy) {
        mata::nfa::Run run;
        empty = mata::nfa::is_included(left, right, &run);
        if (!empty) {
            word = run.word;
        }
    } else {
        made = mata::nfa::intersection(
            left, operation.difference ? mata::nfa::complement(right, symbols.all()) : right);
        states = made.num_of_states();
        empty = made.is_lang_empty();
    }
    const auto done = Clock::now();
    if (!empty && !word) {
        word = made.get_word();
    }
    const auto found = Clock::now();
    if (empty) {
        out << "empty\n";
    } else if (!word) {
        out << "nonempty\n";
    } else {
        out << "word";
        for (Symbol symbol : *word) {
            out << ' ' << symbols.example(symbol);
        }
        out << '\n';
    }
    const auto nanoseconds = [](Clock::duration time) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
    };
    out << "times " << nanoseconds(built - start) << ' ' << nanoseconds(closed - built) << ' '
        << nanoseconds(done - closed) << ' ' << nanoseconds(found - done) << '\n';
    out << "states " << states << '\n';
}

// Standard input, line by line.
std::istringstream line() {
    std::string text;
    if (!std::getline(std::cin, text)) {
        throw std::runtime_error("the input ends too early");
    }
    return std::istringstream(text);
}

template <typename Number> Number number(std::istream &in) {
    Number value;
    if (!(in >> value)) {
        throw std::runtime_error("expected a number");
    }
    return value;
}

std::size_t count(const std::string &name) {
    auto in = line();
    std::string word;
    in >> word;
    if (word != name) {
        throw std::runtime_error("expected '" + name + " COUNT', found '" + in.str() + "'");
    }
    return number<std::size_t>(in);
}

Description description() {
    Description made;
    auto head = line();
    std::string word;
    head >> word;
    made.states = number<std::size_t>(head);
    made.initial = number<State>(head);
    while (true) {
        auto in = line();
        in >> word;
        if (word == "final") {
            made.finals.push_back(number<State>(in));
        } else if (word == "epsilon") {
            const State from = number<State>(in);
            made.epsilons.emplace_back(from, number<State>(in));
        } else if (word == "move") {
            Move move{};
            move.from = number<State>(in);
            move.to = number<State>(in);
            move.first = number<std::uint32_t>(in);
            move.last = number<std::uint32_t>(in);
            made.moves.push_back(move);
        } else if (word == "end") {
            return made;
        } else {
            throw std::runtime_error("expected a part of an automaton, found '" + word + "'");
        }
    }
}

void serve(bool lazy) {
    std::vector<Description> automata;
    for (std::size_t left = count("automata"); left > 0; --left) {
        automata.push_back(description());
    }
    std::vector<Operation> operations;
    for (std::size_t left = count("operations"); left > 0; --left) {
        auto in = line();
        std::string word;
        in >> word;
        Operation operation{word == "difference", 0, 0};
        operation.left = number<std::size_t>(in);
        operation.right = number<std::size_t>(in);
        operations.push_back(operation);
    }
    std::cout << "ready" << std::endl;
    std::string command;
    while (std::getline(std::cin, command)) {
        if (command != "run") {
            throw std::runtime_error("expected 'run', found '" + command + "'");
        }
        for (const Operation &operation : operations) {
            answer(operation, automata.at(operation.left), automata.at(operation.right), lazy, std::cout);
        }
        std::cout << "done" << std::endl;
    }
}

} // namespace

int main(int count, char **arguments) {
    const std::string first = count == 2 ? arguments[1] : "";
    if (first == "--version") {
        std::cout << "Mata " << MATA_VERSION << std::endl;
        return 0;
    }
    try {
        serve(first == "lazy");
    } catch (const std::bad_alloc &) {
        std::cout << "error there is no more memory" << std::endl;
    } catch (const std::exception &error) {
        std::cout << "error " << error.what() << std::endl;
    }
    return 0;
}
