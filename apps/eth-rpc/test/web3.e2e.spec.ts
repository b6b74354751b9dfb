import { Web3 } from 'web3'
import { type ClientStage, startStage } from './clients/stage.js'

const ABI = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
] as const
const TOO_MUCH = 2n ** 200n
// Of anvil's seventh account.
const KEY = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e'

let stage: ClientStage
let one: string
let other: string
beforeAll(async () => {
  stage = await startStage()
  ;[, one, other] = stage.accounts
})
afterAll(() => stage.stop())

// Its ids are random texts.
describe('web3.js reads the same through the gateway as from a node', () => {
  it.each<[string, (web3: Web3) => Promise<unknown>]>([
    ['the number of the newest block', ({ eth }) => eth.getBlockNumber()],
    ['the chain id', ({ eth }) => eth.getChainId()],
    ['the network id', ({ eth }) => eth.net.getId()],
    ['whether it listens', ({ eth }) => eth.net.isListening()],
    ['whether it is syncing', ({ eth }) => eth.isSyncing()],
    ['the latest block', ({ eth }) => eth.getBlock('latest')],
    ['a block with its transactions', ({ eth }) => eth.getBlock(2, true)],
    ['how many transactions a block has', ({ eth }) => eth.getBlockTransactionCount(2)],
    ['how many uncles a block has', ({ eth }) => eth.getBlockUncleCount(2)],
    ['a transaction', ({ eth }) => eth.getTransaction(stage.transferred)],
    ['a transaction by its place', ({ eth }) => eth.getTransactionFromBlock(2, 1)],
    ['a receipt', ({ eth }) => eth.getTransactionReceipt(stage.transferred)],
    ['a balance', ({ eth }) => eth.getBalance(one)],
    ['a balance in an old block', ({ eth }) => eth.getBalance(one, 1)],
    ['a nonce', ({ eth }) => eth.getTransactionCount(one, 'pending')],
    ['code', ({ eth }) => eth.getCode(stage.token)],
    ['storage', ({ eth }) => eth.getStorageAt(stage.token, one)],
    ['a proof', ({ eth }) => eth.getProof(stage.token, [`0x${one.slice(2).padStart(64, '0')}`])],
    ['the gas price', ({ eth }) => eth.getGasPrice()],
    ['the history of fees', ({ eth }) => eth.getFeeHistory(4, 'latest', [25, 75])],
    ['what gas a payment costs', ({ eth }) => eth.estimateGas({ from: one, to: other, value: '1' })],
    ['what a call returns', ({ eth }) => eth.call({ to: stage.token, data: '0x18160ddd' })],
    ['what an access list would be', ({ eth }) => eth.createAccessList({ from: one, to: stage.token, data: '0x18160ddd' })],
    ['what a contract says', (web3) => tokenFor(web3).methods.balanceOf(one).call()],
    ['logs', ({ eth }) => eth.getPastLogs({ address: stage.token, fromBlock: 0 })],
    ['events of a contract', (web3) => tokenFor(web3).getPastEvents('Transfer', { fromBlock: 0, filter: { to: one } })],
  ])('%s', async (_, ask) => {
    await stage.both((place) => ask(new Web3(place.http)))
  })

  it('many calls in a batch', async () => {
    const answers = await stage.both((place) => {
      const batch = new new Web3(place.http).BatchRequest()
      const wanted = Array.from({ length: 20 }, (_, i) =>
        batch.add({ method: 'eth_getBlockByNumber', params: [`0x${i.toString(16)}`, false] }),
      )
      const refused = batch.add({ method: 'eth_call', params: [{ to: stage.token, data: '0x12345678' }, 'latest'] }).catch(refusalOf)
      return batch.execute().then(() => Promise.all([...wanted, refused]))
    })
    expect(answers).toHaveLength(21)
  })

  it('over a WebSocket', async () => {
    await stage.both(async ({ webSocket }) => {
      const web3 = new Web3(webSocket)
      const answers = [await web3.eth.getBlock(2, true), await web3.eth.getPastLogs({ fromBlock: 0 }), await refusedTransfer(web3)]
      web3.provider?.disconnect()
      return answers
    })
  })
})

describe('web3.js gets the same errors from the gateway as from a node', () => {
  it('why a contract reverts, with the data', async () => {
    const refusal = await stage.both((place) => refusedTransfer(new Web3(place.http)))
    expect(JSON.stringify(refusal)).toContain('0x08c379a0')
  })

  it.each<[string, (web3: Web3) => Promise<unknown>]>([
    ['a block that is not there', ({ eth }) => eth.getBlock(10_000)],
    ['a receipt that is not there', ({ eth }) => eth.getTransactionReceipt(`0x${'12'.repeat(32)}`)],
    ['a balance in a block that is not there', ({ eth }) => eth.getBalance(one, 10_000)],
    ['an estimate of what reverts', (web3) => tokenFor(web3).methods.transfer(other, TOO_MUCH).estimateGas({ from: one })],
  ])('%s', async (_, ask) => {
    await stage.both((place) => ask(new Web3(place.http)).catch(refusalOf))
  })
})

describe('web3.js sends through the gateway', () => {
  it('a payment, and waits for its receipt', async () => {
    const { eth } = new Web3(stage.through.http)
    eth.transactionPollingInterval = 50
    eth.transactionConfirmationBlocks = 1
    eth.accounts.wallet.add(KEY)
    const sending = eth.sendTransaction({ from: eth.accounts.wallet[0]!.address, to: other, value: '12' })
    const hash = new Promise<unknown>((resolve) => void sending.once('transactionHash', resolve))
    await hash
    await stage.mine()
    const receipt = await sending
    expect(receipt).toMatchObject({ transactionHash: await hash, status: 1n })
    await stage.both((place) => new Web3(place.http).eth.getTransactionReceipt(receipt.transactionHash))
  })
})

describe('web3.js receives the same events through the gateway as from a node', () => {
  // A node may tell more of a block than what is hashed, as anvil does; geth and the gateway do not.
  const bare = ({ transactions, uncles, withdrawals, size, totalDifficulty, ...header }: Record<string, unknown>) => header

  it.each<[string, (web3: Web3, hear: (event: unknown) => void) => Promise<unknown>, () => Promise<unknown>]>([
    [
      'blocks',
      async ({ eth }, hear) => (await eth.subscribe('newHeads')).on('data', (head) => hear(bare({ ...head }))),
      () => stage.mine(),
    ],
    ['logs', async ({ eth }, hear) => (await eth.subscribe('logs', { address: stage.token })).on('data', hear), () => transferred()],
    [
      'events of a contract',
      async (web3, hear) =>
        tokenFor(web3)
          .events.Transfer({ filter: { to: one } })
          .on('data', hear),
      () => transferred(),
    ],
    ['pending transactions', async ({ eth }, hear) => (await eth.subscribe('pendingTransactions')).on('data', hear), () => transferred()],
  ])('%s, over a WebSocket', async (_, listen, act) => {
    await stage.bothHear(async ({ webSocket }, hear) => {
      const web3 = new Web3(webSocket)
      await listen(web3, hear)
      return () => web3.provider?.disconnect()
    }, act)
  })
})

function tokenFor(web3: Web3) {
  return new web3.eth.Contract(ABI, stage.token)
}

function refusedTransfer(web3: Web3) {
  return tokenFor(web3).methods.transfer(other, TOO_MUCH).call({ from: one }).catch(refusalOf)
}

async function transferred() {
  await stage.transfer(one, 1n)
  await stage.mine()
}

/** What can be told of an error, whoever it comes from. */
function refusalOf(error: unknown) {
  const { name, code, message, data, reason, cause } = error as Record<string, unknown> & { cause?: { data?: unknown } }
  return { name, code, message, data, reason, cause: cause?.data }
}
