import { parse } from 'yaml'
import { z } from 'zod'
import { deploymentsOf } from '../areas.js'
import { type EvmChain, FINALITY_NAMES, type FinalityRule, type ServedChain } from './chain.js'
import { CHAIN_NAME, CHAINS, chainNamed, DEFAULT_CHAINS, onNetwork } from './chains.js'

/** The configured chains of a platform; by default `DEFAULT_CHAINS`. */
export interface ChainsConfiguration {
  /** `TRESTLE_CHAINS`: comma-separated names, each with an optional network: `btc:regtest,eth:11155111,base`. */
  readonly names?: string
  /** The text of `chains.yaml`: the same as entries, and EVM chains without a record. */
  readonly file?: string
}

/** The chains that a platform with this configuration serves; throws if it is invalid. */
export function servedChains({ names, file }: ChainsConfiguration): readonly ServedChain[] {
  const listed = file === undefined ? [] : chainsOfFile(file)
  const items = names?.split(',').map((item) => item.trim())
  const chosen = items ?? (file === undefined ? DEFAULT_CHAINS : undefined)
  const chains = chosen ? chosen.filter((item) => item !== '').map((item) => chosenChain(item, listed)) : listed
  const twice = chains.find(({ name }, place) => chains.findIndex((each) => each.name === name) !== place)
  if (twice) throw new Error(`${twice.name} is listed twice`)
  return chains
}

const Depth = z.int().min(1).max(100_000)
const FileChain = z.strictObject({
  name: z.string().regex(CHAIN_NAME, 'must be a short name like mychain'),
  chainId: z.int().min(1),
  networkId: z.int().min(1).optional(),
  title: z.string().min(1).max(60),
  unit: z.string().regex(/^[A-Za-z0-9]{1,12}$/, 'must be a symbol like ETH'),
  decimals: z.int().min(0).max(36).default(18),
  blockSeconds: z.number().positive().max(3600),
  finality: z.union([z.enum(FINALITY_NAMES), z.strictObject({ depth: Depth })]).optional(),
  /** The former name of `finality: { depth }`, read for one release. */
  finalityDepth: Depth.optional(),
  headerHash: z.enum(['ethereum', 'own']).optional(),
  testnet: z.boolean().default(false),
  explorer: z.url({ protocol: /^https?$/ }).optional(),
  colour: z.string().default('#868e96'),
})
const ChainsFile = z.object({ chains: z.array(z.union([z.string(), FileChain])).min(1) })

const FIRST_PORT = 4060
const MAX_OWN_CHAINS = 40
// Other paths at the root of the platform.
const TAKEN = new Set([...deploymentsOf([]).map(({ name }) => name), 'ingress', 'chains', 'app', 'api', 'docs', 'session', 'assets'])

function chainsOfFile(text: string): readonly ServedChain[] {
  const parsed = ChainsFile.safeParse(parse(text))
  if (!parsed.success) throw new Error(`the file is not a list of chains:\n${z.prettifyError(parsed.error)}`)
  const own = parsed.data.chains.filter((entry) => typeof entry !== 'string')
  if (own.length > MAX_OWN_CHAINS) throw new Error(`the file describes ${own.length} chains, at most ${MAX_OWN_CHAINS} are allowed`)
  return parsed.data.chains.map((entry) => (typeof entry === 'string' ? chosenChain(entry, []) : ownChain(entry, own.indexOf(entry))))
}

function ownChain({ testnet, finality, finalityDepth, ...described }: z.output<typeof FileChain>, place: number): EvmChain {
  const { name } = described
  if (TAKEN.has(name)) throw new Error(`no chain can be called ${name}: that name is taken`)
  if (chainNamed(name)) throw new Error(`${name} has a record: list it by its name alone`)
  if (finality && finalityDepth) throw new Error(`${name} has finality and finalityDepth: use finality alone`)
  const former: FinalityRule | undefined = finalityDepth === undefined ? undefined : { depth: finalityDepth }
  const network = testnet ? 'testnet' : 'mainnet'
  return { ...described, finality: finality ?? former ?? 'nodes', family: 'evm', network, port: FIRST_PORT + place }
}

function chosenChain(item: string, listed: readonly ServedChain[]): ServedChain {
  const [name = '', network = ''] = item.split(':')
  const chain = listed.find((each) => each.name === name) ?? chainNamed(name)
  if (!chain)
    throw new Error(`there is no chain "${name}": use one of ${CHAINS.map((each) => each.name).join(', ')}, or describe it in a file`)
  const found = network === '' ? chain : onNetwork(chain, network)
  if (!found) throw new Error(`${name} has no network "${network}"`)
  return found
}
