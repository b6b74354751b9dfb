import type { Transaction } from '@trestle/bitcoin/transaction'
import { MempoolContents } from './mempool.js'

const BOUNDS = { transactions: 4, bytes: 1000 }

describe(MempoolContents, () => {
  it('finds what is gone and what is missing', () => {
    const memory = new MempoolContents(
      new Map([
        ['aa', 1],
        ['bb', 1],
      ]),
    )
    expect(memory.differenceTo(['bb', 'cc'])).toEqual({ gone: ['aa'], missing: ['cc'] })
  })

  it('fetches no more than there is room for, counting what is deleted', () => {
    const memory = new MempoolContents(
      new Map([
        ['aa', 1],
        ['bb', 1],
        ['cc', 1],
      ]),
      BOUNDS,
    )
    expect(memory.differenceTo(['bb', 'cc', 'dd', 'ee', 'ff'])).toEqual({ gone: ['aa'], missing: ['dd', 'ee'] })
  })

  it('does not fetch again what cannot be stored, until it is listed again', () => {
    const memory = new MempoolContents(new Map())
    memory.ignore('aa')
    expect(memory.differenceTo(['aa', 'bb']).missing).toEqual(['bb'])
    expect(memory.differenceTo(['bb']).missing).toEqual(['bb'])
    expect(memory.differenceTo(['aa', 'bb']).missing).toEqual(['aa', 'bb'])
  })

  it('accepts as many as fit into its byte limit', () => {
    const memory = new MempoolContents(new Map([['aa', 500]]), BOUNDS)
    expect(memory.fitting([transaction(1, 300), transaction(2, 200), transaction(3, 1)])).toHaveLength(2)
    memory.add([transaction(1, 300), transaction(2, 200)])
    expect(memory.differenceTo(['aa', 'zz']).missing).toEqual([])
    memory.remove(['aa'])
    expect(memory.fitting([transaction(3, 500)])).toHaveLength(1)
  })

  it('tracks transactions by id and size', () => {
    const memory = new MempoolContents(new Map(), BOUNDS)
    memory.add([transaction(7, 100)])
    expect(memory.differenceTo(['07'.repeat(32)])).toEqual({ gone: [], missing: [] })
    memory.remove(['07'.repeat(32), 'unheard of'])
    expect(memory.differenceTo(['07'.repeat(32)]).missing).toHaveLength(1)
  })
})

function transaction(id: number, bytes: number): Transaction {
  const txid = Buffer.alloc(32, id)
  return { txid, version: 2, lockTime: 0, inputs: [], outputs: [], raw: Buffer.alloc(bytes), isCoinbase: false }
}
