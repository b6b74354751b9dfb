import type { ChainBlock } from './followed-chain.js'
import type { LogEntry } from './head-feed.js'
import { LogFeed } from './log-feed.engine.js'

describe(LogFeed, () => {
  it('reports in the order of the chain, however long a node takes', async () => {
    const { feed, reported, untilReported } = feeding([{ logs: async (hash) => [log(hash)] }])
    feed.take({ removed: [], added: [block(1), block(2)] })
    feed.take({ removed: [block(2)], added: [block(2, 'b')] })
    await untilReported(4)
    expect(reported).toEqual(['+1 1', '+2 1', '-2 1', '+2b 1'])
  })

  it('remembers the logs of a disconnected block', async () => {
    const known = new Set(['1'])
    const logs = async (hash: string) => {
      if (known.has(hash)) return [log(hash)]
      throw new Error('The block is not known.')
    }
    const { feed, reported, untilReported } = feeding([{ logs }])
    feed.take({ removed: [], added: [block(1)] })
    await untilReported(1)
    known.clear()
    feed.take({ removed: [block(1)], added: [] })
    await untilReported(2)
    expect(reported).toEqual(['+1 1', '-1 1'])
  })

  it('sends no request for a block without logs', async () => {
    const { feed, reported, untilReported } = feeding([])
    feed.take({ removed: [], added: [{ ...block(1), header: `{"logsBloom":"0x${'0'.repeat(512)}"}` }] })
    await untilReported(1)
    expect(reported).toEqual(['+1 0'])
  })

  it('calls the next node when one fails, or returns no logs where the bloom has some', async () => {
    const failing = { logs: () => Promise.reject(new Error('away')) }
    const { feed, reported, untilReported } = feeding([failing, { logs: async () => [] }, { logs: async (hash) => [log(hash)] }])
    feed.take({ removed: [], added: [block(1)] })
    await untilReported(1)
    expect(reported).toEqual(['+1 1'])
  })

  it('accepts that there are no logs when most nodes keep saying so', async () => {
    const failing = { logs: () => Promise.reject(new Error('away')) }
    const { feed, reported, untilReported } = feeding([{ logs: async () => [] }, failing, { logs: async () => [] }])
    feed.take({ removed: [], added: [block(1)] })
    await untilReported(1)
    expect(reported).toEqual(['+1 0'])
  })

  it('waits for the others while a node alone on our branch has no logs', async () => {
    let searches = 0
    const forgetful = {
      logs: async () => {
        // Longer than it takes to believe most nodes.
        if (++searches === 10) nodes.push({ logs: async (hash) => [log(hash)] })
        return []
      },
    }
    const nodes: LogSource[] = [forgetful]
    const { feed, reported, untilReported } = feeding(nodes, 2)
    feed.take({ removed: [], added: [block(1)] })
    await untilReported(1)
    expect(reported).toEqual(['+1 1'])
  })

  it('reports nothing for a block disconnected before its logs were known', async () => {
    const { feed, reported, untilReported, gone } = feeding([
      { logs: async (hash) => (hash === '1' ? Promise.reject(new Error('The block is not known.')) : [log(hash)]) },
    ])
    feed.take({ removed: [], added: [block(1)] })
    gone.add('1')
    feed.take({ removed: [block(1)], added: [block(1, 'b')] })
    await untilReported(1)
    expect(reported).toEqual(['+1b 1'])
  })
})

interface LogSource {
  logs(hash: string): Promise<LogEntry[]>
}

function feeding(nodes: LogSource[], voices = nodes.length) {
  const reported: string[] = []
  const gone = new Set<string>()
  let enough: () => void = () => {}
  const feed = new LogFeed({
    chain: { byHash: (hash) => (gone.has(hash) ? undefined : block(1)) },
    nodes: () => nodes,
    voices: () => voices,
    onLogs: ({ block, removed, logs }) => {
      reported.push(`${removed ? '-' : '+'}${block.hash} ${logs.length}`)
      enough()
    },
    onLost: () => {},
  })
  const untilReported = (count: number) =>
    new Promise<void>((resolve) => {
      enough = () => reported.length >= count && resolve()
      enough()
    })
  return { feed, reported, untilReported, gone }
}

function log(hash: string): LogEntry {
  return { address: '0x', topics: [], json: JSON.stringify({ blockHash: hash }) }
}

function block(number: number, branch = ''): ChainBlock {
  return { number, hash: `${number}${branch}`, parentHash: '', header: '{}', receivedAt: 0 }
}
