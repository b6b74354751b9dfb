import { eventually } from '@trestle/testing/eventually'
import { createWalletClient, http, type PrivateKeyAccount } from 'viem'
import { type EthRpcUnderTest, startEthRpcUnderTest } from '../gateway-under-test.js'
import { callRpc, resultOfRpc } from '../json-rpc.js'
import { SocketCaller } from '../socket-caller.js'
import { fundedAccount, GETH_CHAIN } from './geth-chain.js'
import { GETH_CHAIN_ID, type RunningGeth, startGeth } from './geth-node.js'

const NOBODY = `0x${'11'.repeat(20)}` as const

describe.each([
  ['with a WebSocket', true],
  ['over HTTP only', false],
])('transactions through the gateway are those of the geth behind it, %s', (_, webSocket) => {
  let geth: RunningGeth
  let gateway: EthRpcUnderTest
  let url: string
  let account: PrivateKeyAccount
  let nonce = 0
  beforeAll(async () => {
    geth = await startGeth({ webSocket: true })
    const upstream = webSocket ? geth.upstream : `geth=${geth.url}`
    account = await fundedAccount(geth)
    gateway = await startEthRpcUnderTest(upstream, { CHAIN_ID: String(GETH_CHAIN_ID) })
    url = await gateway.project()
    await fundedAccount(geth)
  })
  afterAll(async () => {
    await gateway.stop()
    await geth.stop()
  })

  const sign = () => {
    const wallet = createWalletClient({ chain: GETH_CHAIN, transport: http(geth.url), account })
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
    return wallet.signTransaction({ type: 'eip1559', to: NOBODY, value: 1n, gas: 21_000n, nonce: nonce++, ...fees })
  }

  it('sent and awaited: what the sender reads next is not from before it', async () => {
    const { result } = await callRpc(url, 'eth_sendRawTransactionSync', await sign())
    const [head, count] = [
      await resultOfRpc<string>(url, 'eth_blockNumber'),
      await resultOfRpc<string>(url, 'eth_getTransactionCount', account.address, 'latest'),
    ]
    expect(result).toEqual(await resultOfRpc(geth.url, 'eth_getTransactionReceipt', result.transactionHash))
    expect(Number(head)).toBeGreaterThanOrEqual(Number(result.blockNumber))
    expect(Number(count)).toBe(nonce)
  })

  it('filled in for the sender', async () => {
    const transaction = { from: account.address, to: NOBODY, value: '0x1' }
    const filled = await resultOfRpc(geth.url, 'eth_fillTransaction', transaction)
    expect(await resultOfRpc(url, 'eth_fillTransaction', transaction)).toEqual(filled)
  })

  it('pending and whole, and their receipts', async () => {
    const [direct, through] = [await SocketCaller.open(geth.webSocketUrl), await SocketCaller.open(url)]
    const pending = [
      await direct.subscribe<object>('newPendingTransactions', true),
      await through.subscribe<object>('newPendingTransactions', true),
    ]
    const receipts = [await direct.subscribe<object>('transactionReceipts'), await through.subscribe<object>('transactionReceipts')]
    // Who polls hears of nothing that came before the first poll.
    await eventually(async () => {
      await resultOfRpc(url, 'eth_sendRawTransaction', await sign())
      return eventually(() => [...pending, ...receipts].every(({ length }) => length > 0) || undefined, 'both hear', 2000).catch(
        () => undefined,
      )
    }, 'all are reported')
    const first = pending[1]?.[0]
    expect(pending[0]).toContainEqual(first)
    expect(receipts[0]).toContainEqual(receipts[1]?.[0])
    direct.close()
    through.close()
  })
})
