import { errorOf, resultOf } from '../framing/outcome.js'
import { KeptReplies } from './kept-replies.js'

const NONE = resultOf([])
const LOGS = resultOf([{ blockNumber: '0x1' }])
const ERROR = errorOf({ code: -32_000, message: 'header not found' })

describe(KeptReplies, () => {
  it.each([
    ['what most upstreams say', [LOGS, NONE, LOGS], LOGS],
    ['not what was said last', [LOGS, LOGS, NONE], LOGS],
    ['the longer one where two say different things', [LOGS, NONE], LOGS],
    ['a result rather than errors', [ERROR, ERROR, NONE], NONE],
  ])('prefers %s', (_, replies, best) => {
    const kept = new KeptReplies()
    for (const reply of replies) kept.add({ ...reply, json: Buffer.from(reply.json) })
    expect(kept.best).toEqual(best)
    expect(kept.count(best)).toBe(replies.filter((reply) => reply === best).length)
  })

  it('has none at first', () => {
    expect(new KeptReplies().best).toBeUndefined()
  })
})
