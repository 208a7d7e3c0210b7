% driver.pl: answers questions about the game that was loaded before it, and
% searches in it. For SWI-Prolog.
%
% A question is a term on standard input, a line. The answer is `ok N` and N
% lines of terms in KIF, separated by tabs; or `error`, its kind and its text.

:- use_module(library(random)).

serve(Roles) :-
    nb_setval(roles, Roles),
    nb_setval(asked, 0),
    set_prolog_flag(toplevel_prompt, ''),
    set_stream(user_output, encoding(utf8)),
    set_stream(user_output, buffer(full)),
    prompt(_, ''),
    repeat,
    read(Question),
    (   Question == end_of_file
    ->  !
    ;   respond(Question),
        flush_output,
        fail
    ).

respond(Question) :-
    catch(answer(Question, Groups), Error, true),
    !,
    (   var(Error)
    ->  length(Groups, Count),
        format("ok ~d~n", [Count]),
        forall(member(Group, Groups), (put_group(Group), nl))
    ;   put_error(Error)
    ),
    forget_tables.
respond(Question) :-
    format("error failed ~q~n", [Question]).

put_error(error(resource_error(What), _)) :-
    !,
    format("error resource ~w~n", [What]).
put_error(Error) :-
    print_message(error, Error),
    format("error failed ~q~n", [Error]).

% Tables hold for the state they were made for. They would be found again if that state came again, and otherwise only
% fill the memory.
forget_tables :-
    nb_getval(asked, Asked),
    (   Asked >= 100
    ->  abolish_all_tables,
        nb_setval(asked, 0)
    ;   More is Asked + 1,
        nb_setval(asked, More)
    ).

put_group([]).
put_group([Term]) :- !, put_kif(Term).
put_group([Term|Rest]) :- put_kif(Term), put_char('\t'), put_group(Rest).

put_kif(Term) :- atomic(Term), !, write(Term).
put_kif(Term) :-
    Term =.. [Name|Arguments],
    put_char('('), write(Name),
    put_arguments(Arguments),
    put_char(')').

put_arguments([]).
put_arguments([Term|Rest]) :- put_char(' '), put_kif(Term), put_arguments(Rest).

answer(initial, [State]) :- initial(State).
answer(legal(State), Groups) :-
    nb_getval(roles, Roles),
    findall(Moves, (member(Role, Roles), legal_moves(Role, State, Moves)), Groups).
answer(terminal(State), [[Answer]]) :-
    (is_terminal(State) -> Answer = yes ; Answer = no).
answer(goals(State), Groups) :- all_goals(State, Groups).
answer(next(State, Moves), [Successor]) :- successor(State, Moves, Successor).
answer(sees(State, Moves), Groups) :-
    nb_getval(roles, Roles),
    findall(Percepts, (member(Role, Roles), percepts(Role, State, Moves, Percepts)), Groups).
answer(minimax(State, Seconds), [[Used, Nodes, IsWhole], Completed]) :-
    minimax(State, Seconds, Used, Nodes, IsWhole, Completed).
answer(montecarlo(State, Seconds, Seed), [[Used, Nodes, Playouts]]) :-
    montecarlo(State, Seconds, Seed, Used, Nodes, Playouts).

all_goals(State, Groups) :-
    nb_getval(roles, Roles),
    findall(Values, (member(Role, Roles), goal_values(Role, State, Values)), Groups).

all_moves(State, Choices) :-
    nb_getval(roles, Roles),
    findall(Role-Moves, (member(Role, Roles), legal_moves(Role, State, Moves)), Choices).

joint_move([], []).
joint_move([Role-Moves|Rest], [does(Role, Move)|Joint]) :-
    member(Move, Moves),
    joint_move(Rest, Joint).

random_joint_move([], []).
random_joint_move([Role-Moves|Rest], [does(Role, Move)|Joint]) :-
    random_member(Move, Moves),
    random_joint_move(Rest, Joint).

count(Counter) :-
    nb_getval(Counter, Before),
    After is Before + 1,
    nb_setval(Counter, After).

% Ends by the clock on the wall; what was used is told in seconds of the processor, which a busy machine does not change.
for_seconds(Seconds, Goal, Used) :-
    nb_setval(nodes, 0),
    get_time(Start),
    Until is Start + Seconds,
    nb_setval(until, Until),
    statistics(cputime, Before),
    catch(Goal, out_of_time, true),
    statistics(cputime, After),
    Used is After - Before.

% Asked before every node. An alarm could strike inside a table, which then stays half made for all who ask after.
in_time :-
    get_time(Now),
    nb_getval(until, Until),
    (Now < Until -> true ; throw(out_of_time)).

% Iterative deepening without any pruning or values: what is measured is the rules. A node is a state that was computed.
minimax(State, Seconds, Used, Nodes, IsWhole, Completed) :-
    nb_setval(completed, []),
    nb_setval(is_whole, no),
    for_seconds(Seconds, deepen(State, 0), Used),
    nb_getval(nodes, Nodes),
    nb_getval(is_whole, IsWhole),
    nb_getval(completed, Reversed),
    reverse(Reversed, Completed).

deepen(State, Depth) :-
    nb_getval(nodes, Before),
    nb_setval(is_whole, yes),
    deeper(State, Depth),
    nb_getval(nodes, After),
    nb_getval(is_whole, IsWhole),
    Nodes is After - Before,
    nb_getval(completed, Completed),
    nb_setval(completed, [Nodes|Completed]),
    (   IsWhole == yes
    ->  true
    ;   Next is Depth + 1,
        deepen(State, Next)
    ).

deeper(State, Depth) :-
    in_time,
    forget_tables,
    (   is_terminal(State)
    ->  all_goals(State, _)
    ;   Depth =< 0
    ->  nb_setval(is_whole, no)
    ;   all_moves(State, Choices),
        Left is Depth - 1,
        forall(joint_move(Choices, Joint),
               ( successor(State, Joint, Successor),
                 count(nodes),
                 deeper(Successor, Left)
               ))
    ).

montecarlo(State, Seconds, Seed, Used, Nodes, Playouts) :-
    set_random(seed(Seed)),
    nb_setval(playouts, 0),
    for_seconds(Seconds, play_on(State), Used),
    nb_getval(nodes, Nodes),
    nb_getval(playouts, Playouts).

play_on(State) :-
    repeat,
    \+ \+ playout(State),
    count(playouts),
    fail.

playout(State) :-
    in_time,
    forget_tables,
    (   is_terminal(State)
    ->  all_goals(State, _)
    ;   all_moves(State, Choices),
        (   random_joint_move(Choices, Joint)
        ->  successor(State, Joint, Successor),
            count(nodes),
            playout(Successor)
        ;   true
        )
    ).
