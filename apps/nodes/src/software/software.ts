import type { Blueprint, DaemonName } from '../catalogue/blueprint.js'
import { bitcoinArgs, bitcoinConfig } from './bitcoin-family.js'
import { anvilArgs, gethArgs, gethConfig } from './evm.js'
import { isPrivateChain, type ProgramSetup } from './program-setup.js'

interface Program {
  /** The name of its executable. */
  readonly command: string
  /** Matches the name and the version in the first line of `--version`. */
  readonly version: RegExp
  readonly args: (blueprint: Blueprint, place: ProgramSetup) => string[]
  readonly config?: (blueprint: Blueprint, place: ProgramSetup, password: string) => string | undefined
}

const bitcoin = { args: bitcoinArgs, config: bitcoinConfig }

const PROGRAMS: Record<DaemonName, Program> = {
  bitcoind: { command: 'bitcoind', version: /^(Bitcoin (?:Core|Knots))(?: daemon)? version v(\d+(?:\.\d+)*)/, ...bitcoin },
  litecoind: { command: 'litecoind', version: /^(Litecoin Core)(?: daemon)? version v(\d+(?:\.\d+)*)/, ...bitcoin },
  // Bitcoin Cash Node's executable is named bitcoind too.
  'bitcoin-cash-node': { command: 'bitcoind', version: /^(Bitcoin Cash Node)(?: daemon)? version v(\d+(?:\.\d+)*)/i, ...bitcoin },
  anvil: { command: 'anvil', version: /^(anvil) (?:version: )?v?(\d+(?:\.\d+)*)/i, args: anvilArgs },
  geth: { command: 'geth', version: /^(geth) version v?(\d+(?:\.\d+)*)/i, args: gethArgs, config: gethConfig },
  'core-geth': { command: 'geth', version: /^((?:core-?)?geth) version v?(\d+(?:\.\d+)*)/i, args: gethArgs, config: gethConfig },
}

export function commandOf({ daemon }: Pick<Blueprint, 'daemon'>): string {
  return PROGRAMS[daemon].command
}

/** The arguments. They contain no secrets, for every user of the host can read them. */
export function argsOf(blueprint: Blueprint, place: ProgramSetup): string[] {
  return PROGRAMS[blueprint.daemon].args(blueprint, place)
}

/** The text of its configuration file, with secrets; undefined if it has none. */
export function configOf(blueprint: Blueprint, place: ProgramSetup, password: string): string | undefined {
  return PROGRAMS[blueprint.daemon].config?.(blueprint, place, password)
}

/** `bitcoin-knots-29.4.3`, from the first line of `--version`; undefined if it is another program. */
export function releaseOf({ daemon }: Pick<Blueprint, 'daemon'>, firstLine: string): string | undefined {
  const [, name, version] = PROGRAMS[daemon].version.exec(firstLine) ?? []
  return name && `${name.toLowerCase().replaceAll(' ', '-')}-${version}`
}

/** How long it may take to flush to disk when it is stopped. */
export function graceSecondsOf(blueprint: Pick<Blueprint, 'network'>): number {
  // litecoind waits for idle connections for 30 s at most.
  return isPrivateChain(blueprint) ? 40 : 600
}
