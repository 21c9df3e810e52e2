/* Solve whole duels of Strategy WAR by backward induction: two open hands, the default tie-break. Also goofspiel,
with prizes from the highest down.

A position is a pair of hands, the points in the pot and the lead. A hand is a bit set with one bit for each rank
of the deck. All positions with the same number of cards left are solved together. Leads that already decide the
duel are not stored: a position has a value for each lead from `reach` points behind to `reach` ahead, in steps of
two. The game is zero-sum, so only positions in which the first side has the higher hand are stored.

Source: G. Dantzig, Linear Programming and Extensions, 1963 (the simplex method, matrix games).
*/
#include <stdint.h>
#include <stdlib.h>

#ifndef VALUE
#define VALUE double
#endif

enum {
    MOST = 13,    /* cards in a hand */
    CELLS = 169,  /* in a matrix game */
    LEADS = 256,  /* leads of a position: at most 209 */
    SUMS = 128,   /* sums in a pot: at most 105 */
    WIDE = 16     /* numbers in a row of a tableau */
};
#define TINY 1e-10
#define HAIR 1e-11 /* margin that prevents pivots without progress */
#define GRAIN 0x1p26 /* values are rounded to 1 / GRAIN, so that equal values compare equal */

enum { POINTS, VICTORY, GOOFSPIEL }; /* payoffs; GOOFSPIEL is another game, for its points */
enum { ANY, REGULAR }; /* policies: random cards, or those of a regular commander */

typedef VALUE Value;
typedef uint32_t Hand;
typedef double Four __attribute__((vector_size(32)));

typedef struct {
    int size, total, is_for_victory, is_goofspiel;
    int rank[MOST];
    Hand all;
    int *number, *held;           /* by hand: its index among hands of its size, and the sum of its ranks */
    uint8_t *sums, (*sum)[SUMS];  /* by the cards in neither hand: the number of possible pots, and the pots */
} Deck;

typedef struct {
    int cards, count, is_whole;   /* whole: both orders of the hands are stored */
    Hand *hands;
    uint64_t *start, positions;
    Value *values;
} Layer;

typedef struct { /* the matrix games for a pair of hands and a pot, one for each lead */
    int cards, games;
    Value cell[CELLS][LEADS];
} Games;

/* ---- the deck and its positions ---- */

Deck *make_deck(int size, const int *ranks, int aim)
{
    Deck *deck = calloc(1, sizeof *deck);
    int count[MOST + 1] = {0};
    deck->size = size;
    deck->is_for_victory = aim == VICTORY;
    deck->is_goofspiel = aim == GOOFSPIEL;
    deck->all = (1u << size) - 1;
    for (int at = 0; at < size; at++)
        deck->total += deck->rank[at] = ranks[at];
    deck->number = calloc(deck->all + 1, sizeof *deck->number);
    deck->held = calloc(deck->all + 1, sizeof *deck->held);
    deck->sums = calloc(deck->all + 1, sizeof *deck->sums);
    deck->sum = calloc(deck->all + 1, sizeof *deck->sum);
    for (Hand hand = 0; hand <= deck->all; hand++) {
        uint8_t may_wait[SUMS] = {1};
        deck->number[hand] = count[__builtin_popcount(hand)]++;
        for (int at = 0; at < size; at++)
            if (hand >> at & 1) {
                deck->held[hand] += deck->rank[at];
                for (int sum = deck->total; sum >= deck->rank[at]; sum--)
                    may_wait[sum] |= may_wait[sum - deck->rank[at]];
            }
        for (int sum = 0; sum <= deck->total; sum++)
            if (may_wait[sum] && (!sum || !deck->is_goofspiel))
                deck->sum[hand][deck->sums[hand]++] = sum;
    }
    return deck;
}

void free_deck(Deck *deck)
{
    free(deck->number), free(deck->held), free(deck->sums), free(deck->sum), free(deck);
}

/* The largest lead with this pot that does not decide the duel. */
static int reach(const Deck *deck, int cards, Hand mine, Hand theirs, int pot)
{
    int stake = deck->held[mine] + deck->held[theirs] + 2 * pot;
    int won = 2 * deck->total - stake;
    if (!cards || !deck->is_for_victory)
        return 0;
    return stake < won ? stake : won;
}

static uint64_t pair_number(const Layer *layer, int mine, int theirs)
{
    if (layer->is_whole)
        return (uint64_t)mine * layer->count + theirs;
    return (uint64_t)mine * (mine + 1) / 2 + theirs;
}

Layer *make_layer(const Deck *deck, int cards, int is_whole)
{
    Layer *layer = calloc(1, sizeof *layer);
    layer->cards = cards;
    layer->is_whole = is_whole;
    layer->hands = calloc(deck->all + 1, sizeof *layer->hands);
    for (Hand hand = 0; hand <= deck->all; hand++)
        if (__builtin_popcount(hand) == cards)
            layer->hands[layer->count++] = hand;
    layer->start = calloc((uint64_t)layer->count * layer->count, sizeof *layer->start);
    for (int mine = 0; mine < layer->count; mine++)
        for (int theirs = 0; theirs < (is_whole ? layer->count : mine + 1); theirs++) {
            Hand hands[2] = {layer->hands[mine], layer->hands[theirs]};
            Hand gone = deck->all & ~(hands[0] | hands[1]);
            layer->start[pair_number(layer, mine, theirs)] = layer->positions;
            for (int at = 0; at < deck->sums[gone]; at++)
                layer->positions += reach(deck, cards, hands[0], hands[1], deck->sum[gone][at]) + 1;
        }
    layer->values = calloc(layer->positions, sizeof *layer->values);
    for (uint64_t at = 0; !cards && deck->is_for_victory && at < layer->positions; at++)
        layer->values[at] = 0.5;
    return layer;
}

void free_layer(Layer *layer)
{
    free(layer->hands), free(layer->start), free(layer->values), free(layer);
}

/* The values for a pair of hands and a pot; `is_turned` if they are those of the enemy. */
static Value *values_of(const Deck *deck, const Layer *layer, Hand mine, Hand theirs, int pot, int *is_turned)
{
    int own = deck->number[mine], other = deck->number[theirs];
    *is_turned = !layer->is_whole && own < other;
    Value *values = layer->values + layer->start[*is_turned ? pair_number(layer, other, own) : pair_number(layer, own, other)];
    if (pot) {
        Hand gone = deck->all & ~(mine | theirs);
        for (int at = 0; deck->sum[gone][at] < pot; at++)
            values += reach(deck, layer->cards, mine, theirs, deck->sum[gone][at]) + 1;
    }
    return values;
}

/* The value of a position for the side with this lead. */
double value(const Deck *deck, const Layer *layer, Hand mine, Hand theirs, int pot, int lead)
{
    int is_turned, most = reach(deck, layer->cards, mine, theirs, pot);
    const Value *values = values_of(deck, layer, mine, theirs, pot, &is_turned);
    if (!deck->is_for_victory)
        return lead + (is_turned ? -values[0] : values[0]);
    if (lead > most || lead < -most)
        return lead > most;
    return is_turned ? 1 - values[(most - lead) / 2] : values[(most + lead) / 2];
}

/* ---- matrix games ---- */

/* The value of a matrix game for the row player, and an optimal strategy, by the simplex method with a condensed
tableau: a pivot exchanges the variable of a row with that of a column. */
static inline __attribute__((always_inline)) double simplex(const int cards, const double *game, double *rows, double *columns)
{
    const int fours = (cards + 4) / 4;
    double line[MOST + 1][WIDE] __attribute__((aligned(32)));
    int at_row[MOST], at_column[MOST];
    double least = game[0], most = game[0];
    for (int at = 1; at < cards * cards; at++) {
        least = game[at] < least ? game[at] : least;
        most = game[at] > most ? game[at] : most;
    }
    for (int row = 0; row <= cards; row++)
        for (int at = 0; at < 4 * fours; at++)
            line[row][at] = 0;
    for (int row = 0; row < cards; row++) {
        for (int column = 0; column < cards; column++)
            line[row][column] = 1 + (game[row * cards + column] - least) / (most - least);
        line[row][cards] = 1 + HAIR * row;
        line[cards][row] = 1;
        at_row[row] = cards + row;
        at_column[row] = row;
    }
    for (int exchange = 0; exchange < 1000; exchange++) {
        int entering = -1, leaving = -1;
        double gain = TINY, above = 0, below = 1;
        for (int column = 0; column < cards; column++)
            if (line[cards][column] > gain)
                gain = line[cards][column], entering = column;
        if (entering < 0)
            break;
        for (int row = 0; row < cards; row++) {
            double each = line[row][entering];
            if (each > TINY && (leaving < 0 || line[row][cards] * below < above * each))
                above = line[row][cards], below = each, leaving = row;
        }
        double pivot = 1 / line[leaving][entering];
        Four lead[WIDE / 4];
        for (int at = 0; at < fours; at++)
            lead[at] = *(Four *)&line[leaving][4 * at] * pivot;
        for (int row = 0; row <= cards; row++) {
            double factor = line[row][entering];
            if (row == leaving)
                continue;
            for (int at = 0; at < fours; at++)
                *(Four *)&line[row][4 * at] -= factor * lead[at];
            line[row][entering] = -factor * pivot;
        }
        for (int at = 0; at < fours; at++)
            *(Four *)&line[leaving][4 * at] = lead[at];
        line[leaving][entering] = pivot;
        int label = at_row[leaving];
        at_row[leaving] = at_column[entering];
        at_column[entering] = label;
    }
    double whole = -line[cards][cards];
    for (int at = 0; at < cards; at++)
        rows[at] = columns[at] = 0;
    for (int at = 0; at < cards; at++) {
        if (at_row[at] < cards)
            columns[at_row[at]] = line[at][cards] / whole;
        if (at_column[at] >= cards) {
            double share = -line[cards][at] / whole;
            rows[at_column[at] - cards] = share > 0 ? share : 0;
        }
    }
    return least + (1 / whole - 1) * (most - least);
}

static double solve(int cards, const double *game, double *rows, double *columns)
{
    switch (cards) { /* so that the compiler knows the length of each loop */
    case 1: return simplex(1, game, rows, columns);
    case 2: return simplex(2, game, rows, columns);
    case 3: return simplex(3, game, rows, columns);
    case 4: return simplex(4, game, rows, columns);
    case 5: return simplex(5, game, rows, columns);
    case 6: return simplex(6, game, rows, columns);
    case 7: return simplex(7, game, rows, columns);
    case 8: return simplex(8, game, rows, columns);
    case 9: return simplex(9, game, rows, columns);
    case 10: return simplex(10, game, rows, columns);
    case 11: return simplex(11, game, rows, columns);
    case 12: return simplex(12, game, rows, columns);
    default: return simplex(13, game, rows, columns);
    }
}

/* The guaranteed value of a mixed strategy of the row player. */
static double sure_of(int cards, const double *game, const double *rows)
{
    double least = 0;
    for (int column = 0; column < cards; column++) {
        double worth = 0;
        for (int row = 0; row < cards; row++)
            worth += rows[row] * game[row * cards + column];
        if (!column || worth < least)
            least = worth;
    }
    return least;
}

/* The most that the row player gets against a mixed strategy of the column player. */
static double held_to(int cards, const double *game, const double *columns)
{
    double most = 0;
    for (int row = 0; row < cards; row++) {
        double worth = 0;
        for (int column = 0; column < cards; column++)
            worth += columns[column] * game[row * cards + column];
        if (!row || worth > most)
            most = worth;
    }
    return most;
}

/* An optimal strategy, and bounds of the value. If the game has a saddle point, the strategy is pure. */
static void best_play(int cards, const double *game, double *rows, double *least, double *most)
{
    double pure[MOST] = {0}, columns[MOST];
    int best = 0;
    *least = -1e9;
    *most = 1e9;
    for (int row = 0; row < cards; row++) {
        double low = game[row * cards];
        for (int column = 1; column < cards; column++)
            low = game[row * cards + column] < low ? game[row * cards + column] : low;
        if (low > *least)
            *least = low, best = row;
    }
    for (int column = 0; column < cards; column++) {
        double high = game[column];
        for (int row = 1; row < cards; row++)
            high = game[row * cards + column] > high ? game[row * cards + column] : high;
        *most = high < *most ? high : *most;
    }
    pure[best] = 1;
    for (int row = 0; row < cards; row++)
        rows[row] = pure[row];
    if (*least >= *most)
        return;
    solve(cards, game, rows, columns);
    *least = sure_of(cards, game, rows);
    *most = held_to(cards, game, columns);
}

/* ---- the matrix games of a pair of hands ---- */

static int cards_of(const Deck *deck, Hand hand, int *at)
{
    int count = 0;
    for (int bit = 0; bit < deck->size; bit++)
        if (hand >> bit & 1)
            at[count++] = bit;
    return count;
}

/* The values of the next positions for all leads, changed by `lead`. */
static void follow(const Deck *deck, const Layer *then, Hand mine, Hand theirs, int pot, int lead, int games, Value *found)
{
    int is_turned, most = reach(deck, then->cards, mine, theirs, pot);
    const Value *values = values_of(deck, then, mine, theirs, pot, &is_turned);
    if (!deck->is_for_victory) {
        found[0] = lead + (is_turned ? -values[0] : values[0]);
        return;
    }
    for (int at = 0; at < games; at++, lead += 2) {
        if (lead > most || lead < -most)
            found[at] = lead > most;
        else
            found[at] = is_turned ? 1 - values[(most - lead) / 2] : values[(most + lead) / 2];
    }
}

static void games_of(const Deck *deck, const Layer *then, Hand mine, Hand theirs, int pot, Games *games)
{
    int own[MOST], other[MOST], cards = cards_of(deck, mine, own), most = reach(deck, cards, mine, theirs, pot);
    cards_of(deck, theirs, other);
    games->cards = cards;
    games->games = most + 1;
    for (int row = 0; row < cards; row++)
        for (int column = 0; column < cards; column++) {
            int swing = deck->rank[own[row]] + deck->rank[other[column]] + 2 * pot, waits = 0;
            if (deck->is_goofspiel) /* the highest prize first; a tied one is lost */
                swing = own[row] == other[column] ? 0 : deck->rank[cards - 1];
            else if (own[row] == other[column])
                swing = 0, waits = pot + deck->rank[own[row]];
            if (own[row] < other[column])
                swing = -swing;
            follow(deck, then, mine ^ 1u << own[row], theirs ^ 1u << other[column], waits, swing - most,
                   most + 1, games->cell[row * cards + column]);
        }
}

static void game_of(const Games *games, int at, double *game)
{
    for (int cell = 0; cell < games->cards * games->cards; cell++)
        game[cell] = games->cell[cell][at];
}

/* ---- policies ---- */

static void add_for_the_pot(const Deck *deck, Hand mine, Hand theirs, double *shares)
{
    int own[MOST], cards = cards_of(deck, mine, own), highest = 31 - __builtin_clz(theirs);
    for (int at = 0; at < cards; at++)
        if (own[at] > highest) {
            shares[at] = 1;
            return;
        }
    double gives_up = mine < theirs ? 1.0 / 3 : 0; /* compare the highest cards that differ */
    shares[0] += gives_up;
    shares[cards - 1] += 1 - gives_up;
}

static void add_for_little(const Deck *deck, Hand mine, Hand theirs, double *shares)
{
    int own[MOST], cards = cards_of(deck, mine, own), highest = 31 - __builtin_clz(theirs), ties = 0;
    for (int at = 0; at < cards - 1; at++)
        ties += theirs >> own[at] & 1;
    double seeks = ties && own[cards - 1] >= highest ? 0.25 : 0;
    for (int at = 0; at < cards; at++)
        shares[at] = 0.1 / cards;
    for (int at = 0; at < cards - 1; at++) {
        shares[at] += 0.9 * (1 - seeks) / (cards - 1);
        if (theirs >> own[at] & 1)
            shares[at] += ties ? 0.9 * seeks / ties : 0;
    }
}

/* The probability of each card under a policy; that of a regular is `tactics.habits`. */
void habits(const Deck *deck, int how, Hand mine, Hand theirs, int pot, double *shares)
{
    int cards = __builtin_popcount(mine);
    for (int at = 0; at < cards; at++)
        shares[at] = how == ANY ? 1.0 / cards : 0;
    if (how == ANY)
        return;
    if (cards == 1)
        shares[0] = 1;
    else if (pot)
        add_for_the_pot(deck, mine, theirs, shares);
    else
        add_for_little(deck, mine, theirs, shares);
}

static double total(int cards, const double *shares, const double *worths)
{
    double sum = 0;
    for (int at = 0; at < cards; at++)
        sum += shares[at] * worths[at];
    return sum;
}

/* The value of each row against a policy. */
static void hope(int cards, const double *game, const double *shares, double *hopes)
{
    for (int row = 0; row < cards; row++)
        hopes[row] = total(cards, shares, game + row * cards);
}

/* ---- layers ---- */

/* Calculate the values of a layer under best play from the next layer; return the widest gap between the bounds of
a value. */
double settle(const Deck *deck, Layer *now, const Layer *then)
{
    double widest = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : widest)
    for (int turn = 0; turn < now->count; turn++) {
        Games *games = malloc(sizeof *games);
        Hand mine = now->hands[now->count - 1 - turn];
        for (int number = 0; number <= deck->number[mine]; number++) {
            int is_turned;
            Hand theirs = now->hands[number], gone = deck->all & ~(mine | theirs);
            Value *values = values_of(deck, now, mine, theirs, 0, &is_turned);
            for (int at = 0; at < deck->sums[gone]; at++) {
                games_of(deck, then, mine, theirs, deck->sum[gone][at], games);
                for (int each = 0; each < games->games; each++) {
                    double game[CELLS], rows[MOST], least, most;
                    game_of(games, each, game);
                    best_play(games->cards, game, rows, &least, &most);
                    if (most - least > widest)
                        widest = most - least;
                    *values++ = __builtin_rint((least + most) / 2 * GRAIN) / GRAIN;
                }
            }
        }
        free(games);
    }
    return widest;
}

/* Calculate a whole layer for a policy `how`: its guaranteed values (`sure`), and if `usual` is given its values
against the policy `habit`. Both policies are ANY or REGULAR. */
void play(const Deck *deck, Layer *sure, Layer *usual, const Layer *then_sure, const Layer *then_usual, int how, int habit)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int number = 0; number < sure->count; number++) {
        Games *surely = malloc(sizeof *surely), *usually = malloc(sizeof *usually);
        Hand mine = sure->hands[number];
        for (int other = 0; other < sure->count; other++) {
            int is_turned;
            Hand theirs = sure->hands[other], gone = deck->all & ~(mine | theirs);
            Value *found = values_of(deck, sure, mine, theirs, 0, &is_turned);
            Value *likely = usual ? values_of(deck, usual, mine, theirs, 0, &is_turned) : 0;
            for (int at = 0; at < deck->sums[gone]; at++) {
                int pot = deck->sum[gone][at];
                double game[CELLS], hoped[CELLS], rows[MOST], shares[MOST], hopes[MOST];
                games_of(deck, then_sure, mine, theirs, pot, surely);
                if (usual)
                    games_of(deck, then_usual, mine, theirs, pot, usually);
                habits(deck, how, mine, theirs, pot, rows);
                habits(deck, habit, theirs, mine, pot, shares);
                for (int each = 0; each < surely->games; each++) {
                    if (usual) {
                        game_of(usually, each, hoped);
                        hope(surely->cards, hoped, shares, hopes);
                    }
                    game_of(surely, each, game);
                    *found++ = __builtin_rint(sure_of(surely->cards, game, rows) * GRAIN) / GRAIN;
                    if (usual)
                        *likely++ = total(surely->cards, rows, hopes);
                }
            }
        }
        free(surely), free(usually);
    }
}
