import { staking } from '@trestle/contracts/staking/api'
import { calendarDay } from '../command/calendar-day.js'
import { type CommandRun, command, flag, text, YES } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import { etherAndWei } from '../output/amount.js'
import { performanceSheet, plainKey, shortKey, validatorSheet, validatorTable } from './validator-views.js'

const { validators } = staking
const base = ''
const PUBKEY = { pubkey: { about: 'the public key of the validator' } } as const
const CHAIN = { chain: text('name', 'the chain; required if there are several') } as const
const EXAMPLE = '8f3a...c1'

/** The chain given by `--chain`, or the only one. */
async function chainOf({ api, options }: CommandRun<unknown, typeof CHAIN>): Promise<string> {
  if (options.chain) return options.chain
  const chains = await api.staking.chains.list()
  const [only, second] = chains
  if (only && !second) return only
  throw new Failure(
    EXIT.usage,
    only ? 'There are several chains.' : 'No staking chain is configured here.',
    only && `Choose one: --chain ${chains.join(', or --chain ')}`,
  )
}

const create = command({
  name: 'validators create',
  about: 'Create a validator: a key in a region, and the deposit to send.',
  details: [
    'The withdrawal address receives the stake and all withdrawals, and can never be changed. Verify the deposit yourself before you send 32 ETH (docs/staking.md), and send it once the validator is ready.',
  ],
  options: {
    ...CHAIN,
    'withdrawal-address': text('address', 'receives the stake and withdrawals; required'),
    'fee-address': text('address', 'receives the fees of its blocks; by default the withdrawal address'),
    region: text('name', 'the region of its signer'),
    compounding: flag('add rewards to the stake, up to 2048 ETH'),
  },
  calls: { base, endpoints: [staking.chains.list, validators.create] },
  examples: [
    ['trestle validators create --withdrawal-address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'shows the deposit data'],
    [
      'trestle validators create --withdrawal-address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 -o json | jq -r .depositData',
      'the call data alone',
    ],
  ],
  async run(run) {
    const { api, options } = run
    const withdrawalAddress = options['withdrawal-address']
    if (!withdrawalAddress) throw new Failure(EXIT.usage, 'validators create requires --withdrawal-address.')
    const body = { withdrawalAddress, feeAddress: options['fee-address'], region: options.region, compounding: options.compounding }
    return api.staking.validators.create({ params: { chain: await chainOf(run) }, body })
  },
  view: ({ chain, pubkey, region, depositData }) => ({
    fields: [
      ['public key', pubkey],
      ['chain', `${chain}, region ${region}`],
      ['deposit', '32 ETH to the deposit contract, with this call data, once it is ready: trestle validators info'],
      ['deposit data', depositData],
    ],
  }),
})

const list = command({
  name: 'validators list',
  about: 'Your validators on a chain, oldest first.',
  options: { ...CHAIN, deleted: flag('instead those that were removed and can be restored') },
  calls: { base, endpoints: [staking.chains.list, validators.list] },
  examples: [
    ['trestle validators list', 'each with its phase and balance'],
    ['trestle validators list --deleted', 'what trestle validators restore can bring back'],
  ],
  run: async (run) => {
    const query = run.options.deleted ? { deleted: 'true' } : {}
    return run.api.staking.validators.list({ params: { chain: await chainOf(run) }, query })
  },
  view: validatorTable,
})

const info = command({
  name: 'validators info',
  about: 'A validator: its phase, and what it is waiting for.',
  args: PUBKEY,
  options: CHAIN,
  calls: { base, endpoints: [staking.chains.list, validators.get] },
  examples: [[`trestle validators info ${EXAMPLE}`, 'with the whole public key']],
  run: async (run) => run.api.staking.validators.get({ params: { chain: await chainOf(run), pubkey: plainKey(run.args.pubkey) } }),
  view: validatorSheet,
})

const performance = command({
  name: 'validators performance',
  about: 'What a validator earned on final UTC days.',
  args: PUBKEY,
  options: { ...CHAIN, from: text('day', 'the first day; by default 30 days ago'), to: text('day', 'the last day') },
  calls: { base, endpoints: [staking.chains.list, staking.performance.get] },
  examples: [[`trestle validators performance ${EXAMPLE} --from 2026-11-01 --to 2026-11-30`, 'a month']],
  run: async (run) => {
    const { api, args, options } = run
    const query = { from: options.from && calendarDay(options.from, '--from'), to: options.to && calendarDay(options.to, '--to') }
    return api.staking.performance.get({ params: { chain: await chainOf(run), pubkey: plainKey(args.pubkey) }, query })
  },
  view: performanceSheet,
})

const report = command({
  name: 'validators report',
  about: 'All your validators as CSV, regardless of -o.',
  calls: { base, endpoints: [staking.reports.validators] },
  examples: [['trestle validators report > validators.csv', 'for a spreadsheet']],
  isText: true,
  run: ({ api }) => api.staking.reports.validators(),
})

const exit = command({
  name: 'validators exit',
  about: 'Exit a validator; everything is paid to its withdrawal address. This cannot be undone.',
  details: [
    'You have to type the full public key again; there is no --yes. Without a terminal, pass it with --confirm.',
    'If the platform requires a signature by the withdrawal address, use the console or the API: docs/staking.md.',
  ],
  args: PUBKEY,
  options: { ...CHAIN, confirm: text('pubkey', 'the public key again, without a terminal') },
  calls: { base, endpoints: [validators.get, validators.exit] },
  examples: [[`trestle validators exit ${EXAMPLE}`, 'asks for the whole public key']],
  async run(run) {
    const { api, args, terminal } = run
    const params = { chain: await chainOf(run), pubkey: plainKey(args.pubkey) }
    const { balance, withdrawalAddress, phase } = await api.staking.validators.get({ params })
    terminal.note(`${params.pubkey} on ${params.chain}: ${phase}, ${etherAndWei(balance)}, paid to ${withdrawalAddress}.`)
    await confirmExit(run, params.pubkey)
    await api.staking.validators.exit({ params })
    terminal.note(`The exit is requested. Follow it with: trestle validators info ${params.pubkey}`)
    return undefined
  },
})

async function confirmExit(
  { options, terminal }: CommandRun<unknown, { confirm: ReturnType<typeof text> }>,
  pubkey: string,
): Promise<void> {
  const question = 'This exit is final. Type the full public key to continue: '
  const typed = options.confirm ?? (await terminal.ask(question, `No terminal to confirm: pass --confirm ${pubkey}`))
  if (plainKey(typed) !== pubkey) throw new Failure(EXIT.usage, `That is not ${shortKey(pubkey)}. Nothing was done.`)
}

const rm = command({
  name: 'validators rm',
  about: 'Remove a validator from your list. An active validator keeps signing until it has exited.',
  details: ['For 72 hours, unless your platform says otherwise, and for as long as it stakes: trestle validators restore brings it back.'],
  args: PUBKEY,
  options: { ...CHAIN, ...YES },
  calls: { base, endpoints: [validators.remove] },
  examples: [[`trestle validators rm ${EXAMPLE}`, 'after a confirmation']],
  async run(run) {
    const { api, args, options, terminal } = run
    const pubkey = plainKey(args.pubkey)
    await terminal.confirm(`Remove ${shortKey(pubkey)} from the list?`, options.yes)
    await api.staking.validators.remove({ params: { chain: await chainOf(run), pubkey } })
    terminal.note(`${shortKey(pubkey)} is removed from the list.`)
    return undefined
  },
})

const restore = command({
  name: 'validators restore',
  about: 'Take a removed validator back into your list.',
  details: ['`trestle validators list --deleted` shows which can be restored.'],
  args: PUBKEY,
  options: CHAIN,
  calls: { base, endpoints: [validators.restore] },
  examples: [[`trestle validators restore ${EXAMPLE}`, 'with the whole public key']],
  async run(run) {
    const pubkey = plainKey(run.args.pubkey)
    await run.api.staking.validators.restore({ params: { chain: await chainOf(run), pubkey } })
    run.terminal.note(`${shortKey(pubkey)} is back in the list.`)
    return undefined
  },
})

const transfer = command({
  name: 'validators transfer',
  about: 'Give a validator to another organization in which you may create validators.',
  details: ['Days that are over stay on the bill of the former organization. The withdrawal and fee addresses stay.'],
  args: { ...PUBKEY, organization: { about: 'the id of the organization that is to own it' } },
  options: { ...CHAIN, ...YES },
  calls: { base, endpoints: [validators.transfer] },
  examples: [[`trestle validators transfer ${EXAMPLE} org-3f2504e0-4f89-41d3-9a0c-0305e82c3301`, 'after a confirmation']],
  async run(run) {
    const { api, args, options, terminal } = run
    const pubkey = plainKey(args.pubkey)
    await terminal.confirm(`Give ${shortKey(pubkey)} to ${args.organization}?`, options.yes)
    return api.staking.validators.transfer({ params: { chain: await chainOf(run), pubkey }, body: { organization: args.organization } })
  },
  view: validatorSheet,
})

export const validatorsCommands = [create, list, info, performance, report, exit, rm, restore, transfer]
