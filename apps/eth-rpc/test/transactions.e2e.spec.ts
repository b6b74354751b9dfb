import { eventually } from '@trestle/testing/eventually'
import { type FaultyStage, startFaultyStage } from './faulty-stage.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { SocketCaller } from './socket-caller.js'

interface Transaction {
  readonly hash: string
  readonly blockHash: string | null
}

interface Receipt {
  readonly transactionHash: string
  readonly blockHash: string
}

let stage: FaultyStage
let socket: SocketCaller
beforeAll(async () => {
  stage = await startFaultyStage({ CALL_TIMEOUT_MS: '3000' })
  await stage.mine(2)
  socket = await SocketCaller.open(stage.url)
})
afterAll(async () => {
  socket.close()
  await stage.stop()
})

const send = async () => resultOfRpc<string>(stage.url, 'eth_sendRawTransaction', await stage.sign())

describe('pending transactions', () => {
  it('are reported whole, to who asks for that, in place of their hashes', async () => {
    const [whole, hashes] = [
      await socket.subscribe<Transaction>('newPendingTransactions', true),
      await socket.subscribe<string>('newPendingTransactions'),
    ]
    const filter = await resultOfRpc<string>(stage.url, 'eth_newPendingTransactionFilter', true)
    const polled: Transaction[] = []
    const isPolled = async (hash: string) => {
      polled.push(...(await resultOfRpc<Transaction[]>(stage.url, 'eth_getFilterChanges', filter)))
      return polled.some((each) => each.hash === hash) || undefined
    }
    const hash = await eventually(async () => {
      const sent = await send()
      await eventually(() => hashes.includes(sent) || undefined, 'it is reported', 2000).catch(() => undefined)
      return hashes.includes(sent) ? sent : undefined
    }, 'pending transactions are reported')
    await eventually(() => whole.some((each) => each.hash === hash) || undefined, 'it is reported whole')
    await eventually(() => isPolled(hash), 'the filter reports it whole')
    const expected = await resultOfRpc<Transaction>(stage.url, 'eth_getTransactionByHash', hash)
    expect(whole.find((each) => each.hash === hash)).toEqual(expected)
    expect(polled.filter((each) => each.hash === hash)).toEqual([expected])
    expect(expected.blockHash).toBeNull()
    await stage.mine()
  })

  it('are reported by no filter whose flag is none', async () => {
    expect(await callRpc(stage.url, 'eth_newPendingTransactionFilter', 'yes')).toMatchObject({
      error: { code: -32602, message: 'invalid argument 0: json: cannot unmarshal string into Go value of type bool' },
    })
  })
})

describe('receipts', () => {
  it('are reported block by block: all of them, or those of some transactions', async () => {
    const all = await socket.subscribe<Receipt[]>('transactionReceipts')
    const [mine, other] = [await send(), await send()]
    const some = await socket.subscribe<Receipt[]>('transactionReceipts', { transactionHashes: [mine] })
    const { hash } = await stage.mine()
    await eventually(() => all.flat().some((each) => each.transactionHash === other) || undefined, 'all are reported')
    const expected = await resultOfRpc<Receipt[]>(stage.url, 'eth_getBlockReceipts', hash)
    expect(all.at(-1)).toEqual(expected)
    expect(some).toEqual([expected.filter(({ transactionHash }) => transactionHash === mine)])
  })

  it.each([
    [{ transactionHashes: 'x' }, '-32602'],
    [{ transactionHashes: ['0x1'] }, '-32602'],
    [{ transactionHashes: Array(201).fill(`0x${'1'.repeat(64)}`) }, '-32000'],
  ])('are refused for %.60j', async (filter, code) => {
    await expect(socket.ask('eth_subscribe', 'transactionReceipts', filter)).rejects.toThrow(code)
  })
})

describe('eth_sendRawTransactionSync', () => {
  it('answers with the receipt, and what is asked next is not from before it', async () => {
    const sent = callRpc(stage.url, 'eth_sendRawTransactionSync', await stage.sign())
    await eventually(async () => (await pendingCount()) > 0 || undefined, 'the transaction waits')
    await stage.mine()
    const { result } = await sent
    expect(result).toEqual(await resultOfRpc(stage.url, 'eth_getTransactionReceipt', result.transactionHash))
    expect(Number(await resultOfRpc(stage.url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(Number(result.blockNumber))
  })

  it('says that it was not mined in time, with its hash', async () => {
    const { error } = await callRpc(stage.url, 'eth_sendRawTransactionSync', await stage.sign(), '0x1f4')
    expect(error).toMatchObject({ code: 4, message: "The transaction was added to the transaction pool but wasn't processed in 500ms" })
    await stage.mine()
    expect(await resultOfRpc(stage.url, 'eth_getTransactionReceipt', error?.data)).toMatchObject({ status: '0x1' })
  })

  it.each([
    ['no transaction', ['0x'], -32602],
    ['nothing', [], -32602],
    ['no time', ['0x', 'soon'], -32602],
    ['too much', ['0x', '0x1', '0x1'], -32602],
  ])('refuses %s', async (_, params, code) => {
    const { error } = await callRpc(stage.url, 'eth_sendRawTransactionSync', ...params)
    expect(error?.code).toBe(code)
  })
})

async function pendingCount(): Promise<number> {
  return Number(await resultOfRpc(stage.url, 'eth_getBlockTransactionCountByNumber', 'pending'))
}
