import type { UpstreamStatus } from './head-feed.js'
import { servingOf, syncingOf, voicesOf } from './service-state.js'

const SERVES = status({})
const SYNCS = status({ isUsable: false, syncing: { currentBlock: 5, highestBlock: 16 } })

describe(syncingOf, () => {
  it('is false while one upstream serves', () => {
    expect(syncingOf([SYNCS, SERVES])).toBe(false)
  })

  it('shows the upstream that is furthest while none does', () => {
    const further = status({ isUsable: false, syncing: { currentBlock: 9, highestBlock: 16 } })
    expect(syncingOf([SYNCS, further])).toEqual({ startingBlock: '0x0', currentBlock: '0x9', highestBlock: '0x10' })
  })

  it('fails where no upstream says anything', () => {
    expect(() => syncingOf([status({ isUsable: false })])).toThrow(expect.objectContaining({ status: 503 }))
    expect(() => syncingOf([])).toThrow('no upstream can answer now')
  })
})

describe(servingOf, () => {
  it('counts the upstreams that are asked', () => {
    expect(servingOf([SERVES, SYNCS, SERVES, status({ isOnOurChain: false })])).toBe(2)
  })
})

describe(voicesOf, () => {
  it('counts those that are asked, and those on another branch at the moment', () => {
    const refused = (reason: 'other-branch' | 'unproven' | 'lagging' | 'silent') =>
      status({ isUsable: false, refusal: { reason, detail: reason } })
    expect(voicesOf([SERVES, refused('other-branch'), refused('unproven'), refused('lagging'), refused('silent')])).toBe(3)
  })
})

function status(change: Partial<UpstreamStatus>): UpstreamStatus {
  return { name: 'a', head: 16, isPrimary: false, isOnOurChain: true, isUsable: true, ...change }
}
