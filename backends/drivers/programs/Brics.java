// Operations on automata by dk.brics.automaton, asked for on standard input and answered on standard output.
//
// The input is the automata, then the operations, then a line "run" for each time that all operations are to be
// done. Numbers are decimal.
//
//     automata COUNT
//     automaton STATES INITIAL
//     final STATE
//     epsilon FROM TO
//     move FROM TO FIRST LAST
//     end
//     operations COUNT
//     product LEFT RIGHT
//     difference LEFT RIGHT
//
// When all is read, and the library's classes are loaded, the answer is "ready". A run answers with a line for each operation, and then "done":
//
//     empty | word CHARACTER… | nonempty
//     times REBUILD EPSILON OPERATION WITNESS
//     states COUNT
//
// Times are nanoseconds: making the library's objects of the description, adding epsilon moves (which is how the
// library eliminates them), the operation with its test for emptiness, looking for the shortest word. What cannot
// be done is answered with "error" and why.
//
// With the argument "lazy", a difference is only tested for emptiness, by the library's test for inclusion, which
// does not make the difference and gives no word.

import dk.brics.automaton.Automaton;
import dk.brics.automaton.State;
import dk.brics.automaton.StatePair;
import dk.brics.automaton.Transition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public final class Brics {
    /** An automaton as it was described. */
    private record Description(int states, int initial, List<Integer> finals, List<int[]> epsilons, List<int[]> moves) {
        /** The library's objects, without the epsilon moves. */
        Automaton build(State[] made) {
            for (int i = 0; i < states; i++) {
                made[i] = new State();
            }
            for (int state : finals) {
                made[state].setAccept(true);
            }
            for (int[] move : moves) {
                made[move[0]].addTransition(new Transition((char) move[2], (char) move[3], made[move[1]]));
            }
            Automaton automaton = new Automaton();
            automaton.setInitialState(made[initial]);
            automaton.setDeterministic(false);
            return automaton;
        }

        List<StatePair> pairs(State[] made) {
            List<StatePair> pairs = new ArrayList<>();
            for (int[] epsilon : epsilons) {
                pairs.add(new StatePair(made[epsilon[0]], made[epsilon[1]]));
            }
            return pairs;
        }
    }

    private record Operation(boolean difference, int left, int right) {}

    private final BufferedReader in;
    private final PrintStream out;
    private final boolean lazy;

    private Brics(BufferedReader in, PrintStream out, boolean lazy) {
        this.in = in;
        this.out = out;
        this.lazy = lazy;
    }

    private String[] line() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the input ends too early");
        }
        return line.split(" ");
    }

    private int count(String name) throws IOException {
        String[] words = line();
        if (words.length != 2 || !words[0].equals(name)) {
            throw new IOException("expected '" + name + " COUNT', found '" + String.join(" ", words) + "'");
        }
        return Integer.parseInt(words[1]);
    }

    private Description description() throws IOException {
        String[] head = line();
        Description made = new Description(
            Integer.parseInt(head[1]), Integer.parseInt(head[2]), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        while (true) {
            String[] words = line();
            int[] numbers = new int[words.length - 1];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = Integer.parseInt(words[i + 1]);
            }
            switch (words[0]) {
                case "final" -> made.finals().add(numbers[0]);
                case "epsilon" -> made.epsilons().add(numbers);
                case "move" -> made.moves().add(numbers);
                case "end" -> {
                    return made;
                }
                default -> throw new IOException("expected a part of an automaton, found '" + words[0] + "'");
            }
        }
    }

    private void serve() throws IOException {
        List<Description> automata = new ArrayList<>();
        for (int left = count("automata"); left > 0; left--) {
            automata.add(description());
        }
        List<Operation> operations = new ArrayList<>();
        for (int left = count("operations"); left > 0; left--) {
            String[] words = line();
            operations.add(new Operation(
                words[0].equals("difference"), Integer.parseInt(words[1]), Integer.parseInt(words[2])));
        }
        warmUp();
        out.println("ready");
        for (String command = in.readLine(); command != null; command = in.readLine()) {
            if (!command.equals("run")) {
                throw new IOException("expected 'run', found '" + command + "'");
            }
            for (Operation operation : operations) {
                answer(operation, automata.get(operation.left()), automata.get(operation.right()), out);
            }
            out.println("done");
        }
    }

    /** Answers about small automata, to nobody, so that loading classes is in no time. */
    private void warmUp() {
        PrintStream nobody = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.US_ASCII);
        Description[] small = new Description[2];
        for (int i = 0; i < small.length; i++) {
            small[i] = new Description(3, 0, List.of(2), List.of(new int[] {0, 1}),
                List.of(new int[] {1, 2, 'a', 'b' + i}, new int[] {2, 2, 'c', 'd'}));
        }
        for (int round = 0; round < 2; round++) {
            answer(new Operation(false, 0, 1), small[0], small[1], nobody);
            answer(new Operation(true, 1, 0), small[1], small[0], nobody);
            answer(new Operation(true, 0, 1), small[0], small[1], nobody);
        }
    }

    private void answer(
            Operation operation, Description leftDescription, Description rightDescription, PrintStream out) {
        long start = System.nanoTime();
        State[] leftStates = new State[leftDescription.states()];
        State[] rightStates = new State[rightDescription.states()];
        Automaton left = leftDescription.build(leftStates);
        Automaton right = rightDescription.build(rightStates);
        List<StatePair> leftPairs = leftDescription.pairs(leftStates);
        List<StatePair> rightPairs = rightDescription.pairs(rightStates);
        long built = System.nanoTime();
        left.addEpsilons(leftPairs);
        right.addEpsilons(rightPairs);
        long closed = System.nanoTime();
        boolean empty;
        Automaton made = null;
        if (operation.difference() && lazy) {
            empty = left.subsetOf(right);
        } else {
            made = operation.difference() ? left.minus(right) : left.intersection(right);
            empty = made.isEmpty();
        }
        long done = System.nanoTime();
        String word = made == null || empty ? null : made.getShortestExample(true);
        long found = System.nanoTime();
        if (empty) {
            out.println("empty");
        } else if (word == null) {
            out.println("nonempty");
        } else {
            StringBuilder text = new StringBuilder("word");
            for (int i = 0; i < word.length(); i++) {
                text.append(' ').append((int) word.charAt(i));
            }
            out.println(text);
        }
        out.println("times " + (built - start) + " " + (closed - built) + " " + (done - closed) + " " + (found - done));
        out.println("states " + (made == null ? 0 : made.getNumberOfStates()));
    }

    /** The name of the library's file, links followed, since the file itself does not say its version. */
    private static String library() throws Exception {
        Path path = Path.of(Automaton.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return path.toRealPath().getFileName().toString();
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            out.println("dk.brics.automaton, " + library() + ", Java " + System.getProperty("java.version"));
            return;
        }
        boolean lazy = arguments.length == 1 && arguments[0].equals("lazy");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try {
            new Brics(in, out, lazy).serve();
        } catch (OutOfMemoryError error) {
            out.println("error the heap of the Java machine is used up");
        } catch (StackOverflowError error) {
            out.println("error the stack of the Java machine is used up");
        } catch (IOException | RuntimeException error) {
            out.println("error " + error.toString().replace('\n', ' '));
        }
    }
}
