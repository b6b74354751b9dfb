import { NodeRpc } from '@trestle/devnet/chains/node-rpc'
import { clientCredentials } from '@trestle/sdk/token-source'
import { createTrestle, type Trestle } from '@trestle/sdk/trestle'
import { eventually } from '@trestle/testing/eventually'
import { newcomer, platform } from './platform.js'

// A developer with an account reads a chain and pays on it, through the ingress; on each available chain.

type Chain = Trestle['ltc']
type Heard = object & { txid?: string }

const trestle = createTrestle({ url: platform.ingress })

describe.each(['ltc', 'btc'] as const)('a developer with a client key, at /%s', (name) => {
  let me: Trestle
  let key: { clientId: string; clientSecret: string }
  let chain: Chain
  let address: string
  let wallet: NodeRpc

  beforeAll(async () => {
    const { email: username, password } = await newcomer(`reader-of-${name}`)
    const { accessToken } = await trestle.accounts.sessions.signIn({ basic: { username, password } })
    me = trestle.with({ token: accessToken })
    key = await me.accounts.clientKeys.create()
    chain = trestle.with({ token: clientCredentials(trestle, key) })[name]
    const info = platform.chains[name]!
    address = info.address
    wallet = new NodeRpc(info.rpc, info.cookieFile).wallet(info.wallet)
  })

  it('learns when the index has caught up with the node, and which chain stands in for another', async () => {
    const { sync, version } = chain.status
    const { standsFor, height: past } = platform.chains[name]!
    const { height, blockChainHeight, syncPercentage, standIn } = await eventually(
      async () => {
        const status = await sync()
        return status.status === 'finished' && status.height >= past ? status : undefined
      },
      'the index is at the tip',
      60_000,
    )
    expect([height, syncPercentage]).toEqual([blockChainHeight, 100])
    expect([await version(), standIn]).toMatchObject([{ chain: standsFor ? 'ltc' : name, network: 'regtest' }, standsFor && 'litecoind'])
  })

  it('reads a long history from both ends', async () => {
    const summary = await chain.addresses.summary({ params: { addr: address }, query: { from: '0', to: '30' } })
    expect(summary.txApperances).toBeGreaterThanOrEqual(1200)
    expect(summary.totalReceivedSat - summary.totalSentSat).toBe(summary.balanceSat)
    const { pagesTotal } = await page(0)
    expect(pagesTotal).toBeGreaterThanOrEqual(120)
    // The chain grows: both reads must happen within one second.
    await eventually(async () => {
      const { transactions = [] } = await chain.addresses.summary({ params: { addr: address }, query: { from: '0', to: '30' } })
      const pages = await Promise.all([page(0), page(1), page(2)])
      return isSame(pages.flatMap(idsOf), transactions) || undefined
    }, 'the pages are the whole')
    const [oldest, past] = [await page(pagesTotal - 1), await page(pagesTotal + 1_000_000)]
    expect(oldest.txs.length).toBeGreaterThan(0)
    expect(oldest.txs.every(({ vout }) => vout.some(({ scriptPubKey }) => scriptPubKey.addresses.includes(address)))).toBe(true)
    expect(past.txs).toEqual([])
  })

  it('follows a block to its transactions, and an output to the transaction that spent it', async () => {
    const { blockHash } = await chain.blocks.hash({ params: { height: '114' } })
    const block = await chain.blocks.one({ params: { hash: blockHash } })
    expect(block).toMatchObject({ hash: blockHash, height: 114, isMainChain: true, reward: 50 })
    expect(block.tx.length).toBe(101)
    const { txs, pagesTotal } = await chain.transactions.list({ query: { block: blockHash, pageNum: '10' } })
    expect([pagesTotal, idsOf({ txs })]).toEqual([11, block.tx.slice(100)])
    const payment = await chain.transactions.one({ params: { hash: block.tx[4]! } })
    expect(payment).toMatchObject({ blockhash: blockHash, blockheight: 114, isCoinBase: false, fees: 0.00001 })
    expect(payment.valueIn).toBeCloseTo(payment.valueOut + 0.00001, 8)
    const { txid = '' } = { txid: undefined, ...payment.vin[0] } as { txid?: string }
    const purses = await chain.transactions.one({ params: { hash: txid } })
    expect(purses.vout.some(({ spentTxId, spentHeight }) => spentTxId === payment.txid && spentHeight === 114)).toBe(true)
    const { rawtx } = await chain.raw.transaction({ params: { hash: payment.txid } })
    expect(rawtx.length / 2).toBe(payment.size)
  })

  it('gets the outputs of a balance, and the fee rate of a transaction', async () => {
    const sums = await eventually(async () => {
      const { balanceSat, unconfirmedBalanceSat } = await chain.addresses.summary({ params: { addr: address }, query: { noTxList: '1' } })
      const outputs = await chain.addresses.outputsOfListed({ body: { addrs: address } })
      const sum = outputs.reduce((total, { satoshis }) => total + satoshis, 0)
      return sum === balanceSat + unconfirmedBalanceSat ? outputs.length : undefined
    }, 'outputs and balance agree')
    expect(sums).toBeGreaterThan(100)
    const fees = await chain.fees.estimate({ query: { nbBlocks: '2,6' } })
    expect(Object.keys(fees)).toEqual(['2', '6'])
  })

  it('gets an event of their own payment when it is sent, and when it is confirmed', async () => {
    const payee = await wallet.call<string>('getnewaddress')
    const end = new AbortController()
    const heard: Heard[] = []
    const listening = listen(chain, { query: { address: payee }, signal: end.signal }, heard)
    // A block shows that the stream is open.
    await eventually(() => heard[0], 'something is heard')
    const { txid } = await chain.sending.send({ body: { rawtx: await signed(payee) } })
    const ofPayment = () => heard.filter((event) => event.txid === txid)

    await eventually(() => ofPayment()[0], 'the payment is heard of')
    const unconfirmed = await chain.transactions.one({ params: { hash: txid } })
    expect(unconfirmed).toMatchObject({ txid, blockheight: -1, confirmations: 0 })
    expect(await chain.addresses.unconfirmedBalance({ params: { addr: payee } })).toBe(12_345_678)

    const confirmed = await eventually(
      async () => {
        const transaction = await chain.transactions.one({ params: { hash: txid } })
        return transaction.confirmations > 0 ? transaction : undefined
      },
      'the payment is confirmed',
      60_000,
    )
    expect(await chain.addresses.balance({ params: { addr: payee } })).toBe(12_345_678)
    const { blockhash, blockheight } = confirmed
    await eventually(() => ofPayment()[1], 'its confirmation is heard of')
    expect(ofPayment()).toEqual([
      { address: payee, txid, blockheight: -1 },
      { address: payee, txid, blockheight, blockhash },
    ])
    expect(heard[heard.indexOf(ofPayment()[1]!) - 1]).toMatchObject({ hash: blockhash, height: blockheight })
    end.abort()
    await expect(listening).rejects.toBe(end.signal.reason)
  })

  it('is refused what the node refuses, in its words', async () => {
    await expect(chain.sending.send({ body: { rawtx: '00' } })).rejects.toMatchObject({
      status: 400,
      code: 'TransactionRefused',
      detail: expect.stringMatching(/^TX decode failed.*\. Code:-22$/),
    })
  })

  it('leaves a record of what was sent and of what was refused, without the transactions', async () => {
    const records = await eventually(async () => {
      // Every question asked meanwhile has left a record too.
      const events = await me.accounts.events.list({ query: { limit: '1000' } })
      const found = events.filter(({ service, input }) => service === name && input.route === '/api/v1/tx/send')
      return found.length >= 2 ? found : undefined
    }, 'the records are there')
    expect(records.map(({ output }) => output.httpStatusCode).sort()).toEqual([200, 400])
    expect(JSON.stringify(records).length).toBeLessThan(4000)
  })

  it('is out within two seconds of deleting the key, and so are the streams', async () => {
    const { accessToken } = await trestle.accounts.tokens.issue({ body: { grantType: 'clientCredentials', ...key } })
    const leaked = trestle.with({ token: accessToken })[name]
    const ended = expect(listen(leaked)).rejects.toMatchObject({ status: 401 })
    expect((await leaked.status.peer()).connected).toBe(true)
    await me.accounts.clientKeys.remove({ params: { id: key.clientId } })
    const deleted = performance.now()
    await eventually(
      async () => {
        const outcome = await leaked.status.peer().catch(({ status }) => status)
        return outcome === 401 || undefined
      },
      'the key is refused',
      2_000,
    )
    await ended
    expect(performance.now() - deleted).toBeLessThan(10_000)
  })

  function page(pageNum: number) {
    return chain.transactions.list({ query: { address, pageNum: String(pageNum) } })
  }

  /** Pays 0.12345678 coins of the node's wallet. */
  async function signed(payee: string): Promise<string> {
    const plain = await wallet.call<string>('createrawtransaction', [], { [payee]: 0.12345678 })
    const { hex: funded } = await wallet.call<{ hex: string }>('fundrawtransaction', plain, { feeRate: 0.0002 })
    const { hex, complete } = await wallet.call<{ hex: string; complete: boolean }>('signrawtransactionwithwallet', funded)
    expect(complete).toBe(true)
    return hex
  }
})

async function listen(chain: Chain, given: Parameters<Chain['events']['stream']>[0] = {}, heard: Heard[] = []): Promise<void> {
  for await (const { data } of chain.events.stream(given)) heard.push(data)
}

function idsOf({ txs }: { txs: readonly { txid: string }[] }): string[] {
  return txs.map(({ txid }) => txid)
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.join() === others.join()
}
