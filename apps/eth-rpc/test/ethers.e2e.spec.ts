import { Contract, HDNodeWallet, isError, JsonRpcProvider, type Provider, WebSocketProvider } from 'ethers'
import { type CallerUrls, type ClientStage, MNEMONIC, startStage } from './clients/stage.js'

const ABI = [
  'function balanceOf(address) view returns (uint256)',
  'function symbol() view returns (string)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]
const TOO_MUCH = 2n ** 200n
// How long ethers waits before it looks again; and how long what it has read stays true for it.
const OPTIONS = { pollingInterval: 50, cacheTimeout: -1 }

let stage: ClientStage
let one: string
let other: string
beforeAll(async () => {
  stage = await startStage()
  ;[, one, other] = stage.accounts
})
afterAll(() => stage.stop())

describe('ethers reads the same through the gateway as from a node', () => {
  it.each<[string, (provider: JsonRpcProvider) => Promise<unknown>]>([
    ['the network', (provider) => provider.getNetwork()],
    ['the number of the newest block', (provider) => provider.getBlockNumber()],
    ['the latest block', (provider) => provider.getBlock('latest')],
    ['the finalized block', (provider) => provider.getBlock('finalized')],
    ['a block with its transactions', (provider) => provider.getBlock(2, true)],
    ['a block that is not there', (provider) => provider.getBlock(10_000)],
    ['a transaction', (provider) => provider.getTransaction(stage.transferred)],
    ['a transaction that is not there', (provider) => provider.getTransaction(`0x${'12'.repeat(32)}`)],
    ['a receipt', (provider) => provider.getTransactionReceipt(stage.transferred)],
    ['a balance', (provider) => provider.getBalance(one)],
    ['a balance in an old block', (provider) => provider.getBalance(one, 1)],
    ['a nonce', (provider) => provider.getTransactionCount(one, 'pending')],
    ['code', (provider) => provider.getCode(stage.token)],
    ['storage', (provider) => provider.getStorage(stage.token, one)],
    ['the fees', (provider) => provider.getFeeData()],
    ['what gas a payment costs', (provider) => provider.estimateGas({ from: one, to: other, value: 1n })],
    ['what a call returns', (provider) => provider.call({ to: stage.token, data: '0x18160ddd' })],
    ['what a contract says', (provider) => tokenFor(provider).balanceOf!(one)],
    ['logs', (provider) => provider.getLogs({ address: stage.token, fromBlock: 0 })],
    ['events of a contract', (provider) => transfers(provider)],
    ['a raw answer', (provider) => provider.send('eth_getBlockReceipts', ['0x2'])],
  ])('%s', async (_, ask) => {
    await stage.both((place) => asking(place, ask))
  })

  it('a hundred calls in a batch, and more', async () => {
    const answers = await stage.both((place) =>
      asking(place, async (provider) => {
        const blocks = Array.from({ length: 120 }, (_, i) => provider.getBlock(i % 24))
        const refused = refusalOf(tokenFor(provider).transfer!.staticCall(other, TOO_MUCH, { from: one }))
        return Promise.all([...blocks, provider.getBalance(one), refused])
      }),
    )
    expect(answers).toHaveLength(122)
  })

  it('over a WebSocket', async () => {
    await stage.both((place) =>
      connecting(place, async (provider) => [
        await provider.getBlock(2, true),
        await transfers(provider),
        await refusalOf(tokenFor(provider).transfer!.staticCall(other, TOO_MUCH, { from: one })),
      ]),
    )
  })
})

describe('ethers gets the same errors from the gateway as from a node', () => {
  it('why a contract reverts, with the data', async () => {
    const refused = (provider: Provider) => refusalOf(tokenFor(provider).transfer!.staticCall(other, TOO_MUCH, { from: one }))
    const refusal = await stage.both((place) => asking(place, refused))
    expect(refusal).toMatchObject({ code: 'CALL_EXCEPTION', reason: 'insufficient balance', data: expect.stringMatching(/^0x08c379a0/) })
  })

  it.each<[string, (provider: JsonRpcProvider) => Promise<unknown>]>([
    ['a call that estimates a revert', (provider) => tokenFor(provider).transfer!.estimateGas(other, TOO_MUCH, { from: one })],
    ['a call without a revert reason', (provider) => provider.call({ to: stage.token, data: '0x12345678' })],
    ['a balance in a block that is not there', (provider) => provider.getBalance(one, 10_000)],
    ['a transaction that is none', (provider) => provider.send('eth_sendRawTransaction', ['0x1234'])],
  ])('%s', async (_, ask) => {
    await stage.both((place) => asking(place, (provider) => refusalOf(ask(provider))))
  })
})

describe('ethers sends through the gateway', () => {
  it('a payment, and waits for it', async () => {
    // It may ask once more when it knows already, and is not to be ended then.
    const provider = new JsonRpcProvider(stage.through.http, undefined, OPTIONS)
    const sent = await signerFor(provider).sendTransaction({ to: other, value: 12n })
    const waiting = sent.wait()
    await stage.mine()
    const receipt = await waiting
    expect(receipt).toMatchObject({ hash: sent.hash, status: 1 })
    await stage.both((place) =>
      asking(place, async (provider) => [await provider.getTransaction(sent.hash), await provider.getTransactionReceipt(sent.hash)]),
    )
  })

  it('but no transaction whose nonce is used', async () => {
    await stage.both((place) =>
      asking(place, (provider) => refusalOf(signerFor(provider).sendTransaction({ to: other, nonce: 0, gasLimit: 21_000 }))),
    )
  })
})

describe('ethers receives the same events through the gateway as from a node', () => {
  it.each<[string, (provider: Provider, hear: (event: unknown) => void) => Promise<unknown>, () => Promise<unknown>]>([
    ['blocks', (provider, hear) => provider.on('block', hear), () => stage.mine()],
    ['logs', (provider, hear) => provider.on({ address: stage.token }, (log) => hear(plain(log))), () => transferred()],
    [
      'events of a contract',
      (provider, hear) => tokenFor(provider).on('Transfer', (...args) => hear(plain(args.slice(0, 3)))),
      () => transferred(),
    ],
    ['pending transactions', (provider, hear) => provider.on('pending', hear), () => transferred()],
  ])('%s, over a WebSocket', async (_, listen, act) => {
    await stage.bothHear(async ({ webSocket }, hear) => {
      const provider = new WebSocketProvider(webSocket, undefined, OPTIONS)
      await listen(provider, hear)
      return () => provider.destroy()
    }, act)
  })

  it.each<[string, (provider: Provider, hear: (event: unknown) => void) => Promise<unknown>, () => Promise<unknown>]>([
    ['blocks', (provider, hear) => provider.on('block', hear), () => stage.mine()],
    ['logs', (provider, hear) => provider.on({ address: stage.token }, (log) => hear(plain(log))), () => transferred()],
  ])('%s, by polling', async (_, listen, act) => {
    await stage.bothHear(async ({ http }, hear) => {
      const provider = new JsonRpcProvider(http, undefined, OPTIONS)
      await listen(provider, hear)
      return () => provider.destroy()
    }, act)
  })
})

async function asking<T>({ http }: CallerUrls, ask: (provider: JsonRpcProvider) => Promise<T>): Promise<T> {
  const provider = new JsonRpcProvider(http, undefined, OPTIONS)
  try {
    return plain(await ask(provider))
  } finally {
    provider.destroy()
  }
}

async function connecting<T>({ webSocket }: CallerUrls, ask: (provider: WebSocketProvider) => Promise<T>): Promise<T> {
  const provider = new WebSocketProvider(webSocket, undefined, OPTIONS)
  try {
    return plain(await ask(provider))
  } finally {
    await provider.destroy()
  }
}

function tokenFor(provider: Provider): Contract {
  return new Contract(stage.token, ABI, provider)
}

async function transfers(provider: Provider): Promise<unknown> {
  const events = await tokenFor(provider).queryFilter('Transfer', 0)
  return events.map((event) => [event.toJSON(), 'args' in event ? event.args.toObject() : undefined])
}

function signerFor(provider: Provider) {
  return HDNodeWallet.fromPhrase(MNEMONIC, undefined, "m/44'/60'/0'/0/5").connect(provider)
}

async function transferred() {
  await stage.transfer(one, 1n)
  await stage.mine()
}

/** Without what ties it to its provider. */
function plain<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)))
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  if (isError(error, 'CALL_EXCEPTION')) {
    const { code, shortMessage, action, data, reason, revert, invocation } = error
    return { code, shortMessage, action, data, reason, revert, invocation }
  }
  const { code, shortMessage, error: cause, info } = error as { code?: string; shortMessage?: string; error?: unknown; info?: unknown }
  if (!code) throw error
  return { code, shortMessage, cause, info }
}
