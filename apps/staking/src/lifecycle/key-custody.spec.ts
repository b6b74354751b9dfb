import fc from 'fast-check'
import { type CustodyAct, CustodyWorld, type Vote } from '../../test/custody-world.js'

// One key, three signers, a database that may be restored, and a URL that leads to one of the signers: in any order of what can go wrong, no two
// signers that sign ever make a slashable pair of votes. What an administrator does is assumed to be true at that moment: nothing else has the key.

const acts: fc.Arbitrary<CustodyAct> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('pass' as const) },
    { weight: 8, arbitrary: fc.constant('epoch' as const) },
    { weight: 3, arbitrary: fc.constantFrom('accept' as const, 'allow' as const, 'pay' as const) },
    {
      weight: 7,
      arbitrary: fc.constantFrom('lost-answer', 'crash', 'backup', 'restore', 'move', 'empty', 'stop', 'start', 'remove', 'stale' as const),
    },
  ),
  fc.nat(2),
)

/** What random orders come to too rarely. */
const SCENARIOS: readonly CustodyAct[][] = [
  // A backup from before any signer answered.
  of('backup pass pass empty:0 move:1 pass accept pass allow pass pass restore move:0 pass pass pay epoch epoch epoch epoch epoch pass'),
  // A backup of a moment when the first import was under way.
  of(
    'crash backup pass pass empty:0 move:1 pass accept pass allow pass pass restore move:0 pass pass pay epoch epoch epoch epoch epoch pass',
  ),
  // A backup from before a planned move, restored after it; then the URL leads back.
  of(
    'pass pass backup empty:0 move:1 pass accept pass allow pass pass restore move:0 pass pass pass pay pass epoch epoch epoch epoch epoch epoch pass epoch pass',
  ),
  // The same of a validator that is active already, whose new signer is switched off for a while.
  of(
    'pass pass pay epoch epoch epoch epoch epoch pass backup empty:0 move:1 pass accept pass allow pass epoch pass epoch pass epoch pass epoch pass stop:1',
  ),
  // A URL that leads elsewhere while the signer behind it before is switched off.
  of(
    'pass pass pay epoch epoch epoch epoch epoch pass stop:0 move:1 pass accept allow epoch pass epoch pass epoch pass epoch pass epoch pass start:0 epoch pass epoch',
  ),
  // Deleted, released, backed up; paid and imported again, moved; restored.
  of(
    'pass pass remove pass backup pay pass empty:0 move:1 pass accept pass allow pass pass restore move:0 pass pass epoch epoch epoch epoch epoch pass epoch',
  ),
]

function of(text: string): CustodyAct[] {
  return text.split(' ').map((word) => {
    const [kind, which = '0'] = word.split(':')
    return [kind as CustodyAct[0], Number(which)]
  })
}

describe('one key and whoever may hold it', () => {
  it.each(SCENARIOS.flatMap((list) => [false, true].map((hasOthers) => [hasOthers, list] as const)))(
    'has one holder at most, and is never signed with twice: %j, %j',
    (hasOthers, list) => {
      const world = new CustodyWorld(hasOthers)
      for (const act of list) {
        world.act(act)
        expect(world.holders.length).toBeLessThanOrEqual(1)
      }
      expect(slashable(world.votes)).toEqual([])
    },
  )

  it('has one holder at most and is never signed with twice for an epoch, whatever is lost, moved, emptied, restored, cut off or late', () => {
    let [imports, votes] = [0, 0]
    fc.assert(
      fc.property(fc.boolean(), fc.array(acts, { minLength: 20, maxLength: 90 }), (hasOthers, list) => {
        const world = new CustodyWorld(hasOthers)
        world.act(['pass', 0])
        world.act(['pass', 0])
        for (const act of list) {
          world.act(act)
          expect(world.holders.length).toBeLessThanOrEqual(1)
        }
        expect(slashable(world.votes)).toEqual([])
        imports += world.imports
        votes += world.votes.length
      }),
      { numRuns: RUNS },
    )
    // The runs came to where it matters.
    expect(imports).toBeGreaterThan(RUNS)
    expect(votes).toBeGreaterThan(RUNS)
  })
})

const RUNS = Number(process.env.ROUNDS ?? 1_000)

function slashable(votes: readonly Vote[]): unknown[] {
  return votes.flatMap((one, index) =>
    votes.slice(index + 1).filter((other) => one.target === other.target || surrounds(one, other) || surrounds(other, one)),
  )
}

function surrounds(outer: Vote, inner: Vote): boolean {
  return outer.source < inner.source && inner.target < outer.target
}
