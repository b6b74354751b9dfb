import { EventEmitter } from 'node:events'
import { type ChainBlock, type ChainChange, FollowedChain } from '../heads/followed-chain.js'
import type { BlockLogs, UpstreamStatus } from '../heads/head-feed.js'
import { type Listener, Listeners } from '../heads/listeners.js'
import { Channel, type Port } from './channel.engine.js'
import { HeadBroadcast, type TrackedFeed } from './head-broadcast.engine.js'
import { RemoteHeadFeed } from './remote-head-feed.engine.js'

describe(RemoteHeadFeed, () => {
  it('knows what the primary knows from the beginning', async () => {
    const feed = tracked()
    feed.move({ removed: [], added: [block(1), block(2)] })
    const { remote } = connect(feed)
    await remote.ready()
    expect(remote.chain.blocks()).toEqual([block(1), block(2)])
    expect(remote.upstreams.get('n0')).toEqual(SIGHT)
    const changes: ChainChange[] = []
    remote.onChange((change) => changes.push(change))
    const change = { removed: [block(2)], added: [block(2, 'b'), block(3, '', '2b')] }
    feed.chain.finalize({ safe: 2, finalized: 1 })
    feed.move(change)
    expect(changes).toEqual([change])
    expect(remote.chain.head).toEqual(block(3, '', '2b'))
    expect(remote.chain.finalized).toBe(1)
  })

  it('passes on that callers wait for a block', () => {
    const feed = tracked()
    connect(feed).remote.hasten(7)
    expect(feed.hastened).toEqual([7])
  })

  it('is not ready before the primary is', async () => {
    const feed = tracked()
    const { remote } = connect(feed)
    let ready = false
    void remote.ready().then(() => {
      ready = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(ready).toBe(false)
    feed.move({ removed: [], added: [block(1)] })
    await remote.ready()
  })

  it('has logs fetched while it has listeners and is open', async () => {
    const feed = tracked()
    feed.move({ removed: [], added: [block(1)] })
    const { remote, broadcast } = connect(feed)
    await remote.ready()
    expect(feed.logs.size).toBe(0)
    const received: BlockLogs[] = []
    const forget = remote.onLogs((logs) => received.push(logs))
    const logs = { block: block(1), removed: false, logs: [] }
    feed.logs.notify(logs)
    expect(received).toEqual([logs])
    forget()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(feed.logs.size).toBe(0)
    remote.onLogs(() => {})
    broadcast.end()
    expect([feed.logs.size, feed.changes.size]).toEqual([0, 0])
  })
})

const SIGHT: UpstreamStatus = { name: 'n0', head: 2, isPrimary: true, isOnOurChain: true, isUsable: true }

function tracked() {
  const chain = new FollowedChain()
  const changes = new Listeners<ChainChange>()
  const logs = new Listeners<BlockLogs>()
  const first = Promise.withResolvers<void>()
  const hastened: number[] = []
  const feed = {
    chain,
    upstreams: new Map([['n0', SIGHT]]),
    ready: () => first.promise,
    onChange: (listener: Listener<ChainChange>) => changes.add(listener),
    onState: () => () => {},
    configured: [],
    onConfigs: () => () => {},
    hasten: (number: number) => hastened.push(number),
    onLogs: (listener: Listener<BlockLogs>) => logs.add(listener),
    onPending: () => () => {},
    onSyncing: () => () => {},
  } satisfies TrackedFeed
  const move = (change: ChainChange) => {
    chain.apply(change)
    changes.notify(change)
    first.resolve()
  }
  return { ...feed, changes, logs, hastened, move }
}

/** The two ends of one channel. */
function connect(feed: TrackedFeed) {
  const [here, there] = [new EventEmitter(), new EventEmitter()]
  const broadcast = new HeadBroadcast(feed, new Channel(portOf(here, there)))
  const remote = new RemoteHeadFeed(new FollowedChain(), new Channel(portOf(there, here)))
  return { broadcast, remote }
}

function portOf(own: EventEmitter, other: EventEmitter): Port {
  const send: Port['send'] = (message, taken) => {
    other.emit('message', structuredClone(message))
    taken?.(null)
    return true
  }
  return Object.assign(own, { send })
}

function block(number: number, branch = '', parentHash = String(number - 1)): ChainBlock {
  return { number, hash: `${number}${branch}`, parentHash, header: '{}', receivedAt: 0 }
}
