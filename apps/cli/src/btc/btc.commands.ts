import { btcConnect } from '@trestle/contracts/btc-connect/api'
import { unitOf } from '@trestle/contracts/chains/chains'
import { chainOption, chosenChain, OTHER_CHAIN, OTHER_TITLE } from '../chains/chain-choice.js'
import { type CommandRun, command, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { bytesText, coins, coinsAndSatoshis } from '../output/amount.js'
import { clock } from '../output/duration.js'
import { stateCell, type View } from '../output/view.js'

const CHAIN = chainOption('bitcoin')
const base = '/{chain}'
const ADDRESS = 'mqUB4fa19XcG8mbe3u56niFGBpqF4Uegaw'
const ACCOUNT = 'tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3u7bSs7HofjTD3KP3YxPK7X6hwV8Rk2'
const HASH = '641feb749bccbd4effe903b158f69cec41caa0d07778e5718a5d5830eedd1dd6'

async function of(run: CommandRun<unknown, typeof CHAIN>) {
  return run.api.utxo(await chosenChain(run, 'bitcoin', run.options.chain))
}

const addr = command({
  name: 'btc addr',
  about: 'The balance and totals of an address, and its newest transactions.',
  args: { address: { about: 'the address, in any format of its chain' } },
  options: { ...CHAIN, limit: text('count', 'the number of transactions', { default: '20' }) },
  calls: { base, endpoints: [btcConnect.addresses.summary] },
  examples: [[`trestle btc addr ${ADDRESS} --chain ${OTHER_CHAIN}`, `on ${OTHER_TITLE}`]],
  run: async (run) => {
    const to = String(integerOf(run.options.limit, '--limit', 1, 1000))
    return (await of(run)).addresses.summary({ params: { addr: run.args.address }, query: { from: '0', to } })
  },
  view: ({ transactions = [], ...address }, _now, { chain }): View => [
    {
      fields: [
        ['address', address.addrStr],
        ['balance', coinsAndSatoshis(address.balanceSat, chain)],
        ['unconfirmed', coinsAndSatoshis(address.unconfirmedBalanceSat, chain)],
        ['received', coinsAndSatoshis(address.totalReceivedSat, chain)],
        ['sent', coinsAndSatoshis(address.totalSentSat, chain)],
        ['transactions', address.txApperances + address.unconfirmedTxApperances],
      ],
    },
    { head: ['NEWEST TRANSACTIONS'], rows: transactions.map((txid) => [txid]) },
  ],
})

const utxo = command({
  name: 'btc utxo',
  about: 'The unspent outputs of an address, newest first.',
  args: { address: { about: 'the address, in any format of its chain' } },
  options: CHAIN,
  calls: { base, endpoints: [btcConnect.addresses.outputs] },
  examples: [[`trestle btc utxo ${ADDRESS} -c ${OTHER_CHAIN} -o json`, 'to build a transaction from']],
  run: async (run) => (await of(run)).addresses.outputs({ params: { addr: run.args.address } }),
  view: (outputs, _now, { chain }) => ({
    head: ['TRANSACTION', 'OUTPUT', 'AMOUNT', 'SATOSHIS', 'HEIGHT', 'CONFIRMATIONS'],
    rows: outputs.map(({ txid, vout, satoshis, height, confirmations }) => [
      txid,
      vout,
      coins(satoshis, chain),
      satoshis,
      height ?? 'mempool',
      confirmations,
    ]),
    none: 'It has no unspent outputs.',
  }),
})

const wallet = command({
  name: 'btc wallet',
  about: 'The balance and totals of a wallet, by its extended public key or descriptor, and its used and next addresses.',
  args: { key: { about: 'an xpub, ypub or zpub (of a test network tpub, upub or vpub), or a descriptor' } },
  options: { ...CHAIN, gap: text('count', 'how many unused addresses end the search', { default: '20' }) },
  calls: { base, endpoints: [btcConnect.wallets.summaryOfPosted] },
  examples: [
    [`trestle btc wallet ${ACCOUNT} -c ${OTHER_CHAIN}`, 'an account of a wallet'],
    [`trestle btc wallet 'wpkh(${ACCOUNT}/<0;1>/*)' -c ${OTHER_CHAIN}`, 'by its descriptor'],
  ],
  run: async (run) => {
    const gap = integerOf(run.options.gap, '--gap', 1, 200)
    return (await of(run)).wallets.summaryOfPosted({ body: { xpub: run.args.key, gap } })
  },
  view: ({ next, addresses, ...found }, _now, { chain }): View => [
    {
      fields: [
        ['descriptor', found.descriptor],
        ['balance', coinsAndSatoshis(found.balanceSat, chain)],
        ['unconfirmed', coinsAndSatoshis(found.unconfirmedBalanceSat, chain)],
        ['received', coinsAndSatoshis(found.totalReceivedSat, chain)],
        ['sent', coinsAndSatoshis(found.totalSentSat, chain)],
        ['transactions', found.transactions],
        ['used addresses', found.usedAddresses],
      ],
    },
    { head: ['NEXT ADDRESS', 'BRANCH', 'INDEX'], rows: next.map(({ address, branch, index }) => [address, branch, index]) },
    {
      head: ['USED ADDRESS', 'BRANCH', 'INDEX', 'BALANCE', 'TRANSACTIONS'],
      rows: addresses.map((each) => [each.address, each.branch, each.index, coins(each.balanceSat, chain), each.transactions]),
      none: 'No address of it was used yet.',
    },
  ],
})

const tx = command({
  name: 'btc tx',
  about: 'A transaction, confirmed or in the mempool.',
  args: { txid: { about: 'the transaction' } },
  options: CHAIN,
  calls: { base, endpoints: [btcConnect.transactions.one] },
  examples: [[`trestle btc tx ${HASH} -c ${OTHER_CHAIN}`, 'its inputs and outputs']],
  run: async (run) => (await of(run)).transactions.one({ params: { hash: run.args.txid } }),
  view: (found, _now, { chain }): View => {
    const unit = unitOf(chain)
    const { txid, blockhash, blockheight, confirmations, time, valueIn, valueOut, fees } = found
    return [
      {
        fields: [
          ['transaction', txid],
          ['block', blockhash ? `${blockheight}  ${blockhash}` : 'none yet'],
          ['confirmations', confirmations],
          ['time', `${clock(time * 1000)} UTC`],
          ['in', valueIn === undefined ? undefined : `${valueIn} ${unit}`],
          ['out', `${valueOut} ${unit}`],
          ['fee', fees === undefined ? undefined : `${fees} ${unit}`],
          ['size', `${found.size} bytes`],
        ],
      },
      {
        head: ['FROM', unit],
        rows: found.vin.map((input) => ('coinbase' in input ? ['coinbase', ''] : [input.addr ?? 'no address', input.value])),
      },
      {
        head: ['TO', unit, 'SPENT BY'],
        rows: found.vout.map(({ value, scriptPubKey, spentTxId }) => [
          scriptPubKey.addresses.join(', ') || scriptPubKey.type,
          value,
          spentTxId,
        ]),
      },
    ]
  },
})

const block = command({
  name: 'btc block',
  about: 'A block, by its hash or its height.',
  args: { block: { about: 'a hash or a height; by default the newest block', optional: true } },
  options: CHAIN,
  calls: { base, endpoints: [btcConnect.blocks.one, btcConnect.blocks.hash, btcConnect.status.show] },
  examples: [
    [`trestle btc block 0 -c ${OTHER_CHAIN}`, 'the first one'],
    [`trestle btc block -c ${OTHER_CHAIN}`, 'the newest one'],
  ],
  run: async (run) => (await of(run)).blocks.one({ params: { hash: await hashOf(run, run.args.block) } }),
  view: (found, _now, { chain }) => ({
    fields: [
      ['block', found.height],
      ['hash', found.hash],
      ['before', found.previousblockhash],
      ['after', found.nextblockhash],
      ['time', `${clock(found.time * 1000)} UTC`],
      ['transactions', found.tx.length],
      ['size', bytesText(found.size)],
      ['confirmations', found.isMainChain ? found.confirmations : 'none: replaced by another block'],
      ['reward', `${found.reward} ${unitOf(chain)}`],
      ['difficulty', found.difficulty],
      ['mined by', found.poolInfo.poolName],
    ],
  }),
})

/** The hash of a block given by its hash or height, or of the newest one. */
async function hashOf(run: CommandRun<unknown, typeof CHAIN>, given?: string): Promise<string> {
  if (given && !/^\d{1,15}$/.test(given)) return given
  const height = given ?? String((await (await of(run)).status.sync()).height)
  return (await (await of(run)).blocks.hash({ params: { height } })).blockHash
}

const send = command({
  name: 'btc send',
  about: 'Broadcast a signed transaction. This cannot be undone.',
  args: { rawtx: { about: 'the signed transaction in hex; by default from the standard input', optional: true } },
  options: CHAIN,
  calls: { base, endpoints: [btcConnect.sending.send] },
  examples: [[`trestle btc send -c ${OTHER_CHAIN} < transaction.hex`, 'prints its id']],
  run: async (run) => {
    const rawtx = run.args.rawtx ?? (await run.terminal.readAll())
    return (await of(run)).sending.send({ body: { rawtx: rawtx.trim() } })
  },
  view: ({ txid }) => txid,
})

const status = command({
  name: 'btc status',
  about: 'The state of the index of a chain, and fee estimates.',
  options: CHAIN,
  calls: { base, endpoints: [btcConnect.status.sync, btcConnect.fees.estimate] },
  examples: [[`trestle btc status -c ${OTHER_CHAIN}`, 'with fee estimates']],
  run: async (run) => {
    const { status: asked, fees } = await of(run)
    // The index is served without its node; only the node can estimate fees.
    const [sync, estimates] = await Promise.all([
      asked.sync(),
      fees.estimate({ query: { nbBlocks: '2,6' } }).catch((): Record<string, number> => ({})),
    ])
    return { sync, fees: estimates }
  },
  view: ({ sync, fees }, _now, { chain }) => ({
    fields: [
      ['index', stateCell(sync.status)],
      ['height', `${sync.height} of ${sync.blockChainHeight} (${sync.syncPercentage} %)`],
      ['blocks left', sync.blocksLeft],
      ['note', sync.note ?? sync.error],
      ['node', sync.standIn && `${sync.standIn}, in place of the expected node`],
      ...Object.entries(fees).map(
        ([blocks, fee]) => [`fee, ${blocks} blocks`, fee < 0 ? 'no estimate' : `${fee} ${unitOf(chain)}/kB`] as const,
      ),
    ],
  }),
})

export const btcCommands = [addr, utxo, wallet, tx, block, send, status]
