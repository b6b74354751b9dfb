import fc from 'fast-check'
import { QuorumTally, type QuorumVote } from './quorum-tally.js'

function vote(key: string, isDoubtful = false): QuorumVote<string> {
  return { key, answer: key, isDoubtful }
}

function tallyOf(agreeing: number, nodes: number, ...votes: readonly QuorumVote<string>[]): QuorumTally<string> {
  const tally = new QuorumTally<string>({ agreeing, nodes })
  for (const each of votes) tally.add(each)
  return tally
}

describe(QuorumTally, () => {
  it('has agreed as soon as enough have given the same answer', () => {
    expect(tallyOf(2, 3, vote('lie'), vote('truth')).agreed(true)).toBeUndefined()
    expect(tallyOf(2, 3, vote('lie'), vote('truth'), vote('truth')).agreed(true)?.answer).toBe('truth')
    expect(tallyOf(2, 3, vote('truth'), vote('truth')).agreed(true)?.answer).toBe('truth')
  })

  it('can no longer agree once too few are left', () => {
    expect(tallyOf(2, 3, vote('a'), vote('b')).canAgree(1)).toBe(true)
    expect(tallyOf(2, 3, vote('a'), vote('b')).canAgree(0)).toBe(false)
    expect(tallyOf(3, 3, vote('a'), vote('b')).canAgree(1)).toBe(false)
    expect(tallyOf(2, 3).canAgree(1)).toBe(false)
  })

  it('counts no more answers than are asked for, however many come', () => {
    const tally = tallyOf(2, 2, vote('a'), vote('b'))
    expect(tally.add(vote('b'))).toBe(false)
    expect(tally.agreed(false)).toBeUndefined()
  })

  it('believes what is doubtful only where nobody who may still answer, or has, knows more', () => {
    const [nothing, something] = [vote('[]', true), vote('[1]')]
    expect(tallyOf(2, 3, nothing, nothing).agreed(true)).toBeUndefined()
    expect(tallyOf(2, 3, nothing, nothing).agreed(false)).toMatchObject({ key: '[]' })
    expect(tallyOf(2, 3, nothing, nothing).agreed(false, 3)).toBeUndefined()
    expect(tallyOf(2, 3, nothing, nothing, something).agreed(false)).toBeUndefined()
    expect(tallyOf(2, 3, something, something, nothing).agreed(true)).toMatchObject({ key: '[1]' })
  })

  it('never settles for a lie while fewer lie the same than must agree', () => {
    const size = fc
      .integer({ min: 2, max: 7 })
      .chain((nodes) => fc.record({ nodes: fc.constant(nodes), agreeing: fc.integer({ min: Math.floor(nodes / 2) + 1, max: nodes }) }))
    const answers = fc.array(fc.constantFrom('truth', 'lie', 'another lie', 'truth', undefined), { maxLength: 12 })
    fc.assert(
      fc.property(size, answers, ({ agreeing, nodes }, given) => {
        const tally = new QuorumTally<string>({ agreeing, nodes })
        let answer: string | undefined
        for (const key of given) {
          // Undefined: it has failed, and another is asked in its place.
          if (key !== undefined && answer === undefined) tally.add(vote(key))
          answer ??= tally.agreed(true)?.answer
        }
        const counted = given.filter((key) => key !== undefined).slice(0, nodes)
        const countOf = (key: string) => counted.filter((each) => each === key).length
        if (Math.max(countOf('lie'), countOf('another lie')) < agreeing) expect([undefined, 'truth']).toContain(answer)
        if (countOf('truth') >= agreeing) expect(answer).toBe('truth')
      }),
      { numRuns: 3_000 },
    )
  })
})
