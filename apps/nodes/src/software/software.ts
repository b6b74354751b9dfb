import type { Blueprint, DaemonName } from '../catalogue/blueprint.js'
import { bitcoinArgs, bitcoinConfig } from './bitcoin-family.js'
import { anvilArgs, gethArgs } from './evm.js'
import { isOwnChain, type Place } from './place.js'

interface Software {
  /** The file name of the program. */
  readonly command: string
  /** What its `--version` begins with, and the version in it. */
  readonly version: RegExp
  readonly args: (blueprint: Blueprint, place: Place) => string[]
  readonly config?: (blueprint: Blueprint, place: Place, password: string) => string
}

const bitcoin = { args: bitcoinArgs, config: bitcoinConfig }

const SOFTWARE: Record<DaemonName, Software> = {
  bitcoind: { command: 'bitcoind', version: /^(Bitcoin (?:Core|Knots))(?: daemon)? version v(\d+(?:\.\d+)*)/, ...bitcoin },
  litecoind: { command: 'litecoind', version: /^(Litecoin Core)(?: daemon)? version v(\d+(?:\.\d+)*)/, ...bitcoin },
  // Bitcoin Cash Node calls its program bitcoind too.
  'bitcoin-cash-node': { command: 'bitcoind', version: /^(Bitcoin Cash Node)(?: daemon)? version v(\d+(?:\.\d+)*)/i, ...bitcoin },
  anvil: { command: 'anvil', version: /^(anvil) (?:version: )?v?(\d+(?:\.\d+)*)/i, args: anvilArgs },
  geth: { command: 'geth', version: /^(geth) version v?(\d+(?:\.\d+)*)/i, args: gethArgs },
  'core-geth': { command: 'geth', version: /^((?:core-?)?geth) version v?(\d+(?:\.\d+)*)/i, args: gethArgs },
}

/** What the program is called. */
export function commandOf({ daemon }: Pick<Blueprint, 'daemon'>): string {
  return SOFTWARE[daemon].command
}

/** The command line after the program; without secrets, for everybody on the machine can read it. */
export function argsOf(blueprint: Blueprint, place: Place): string[] {
  return SOFTWARE[blueprint.daemon].args(blueprint, place)
}

/** The text of its configuration file, which holds secrets; undefined: it has none. */
export function configOf(blueprint: Blueprint, place: Place, password: string): string | undefined {
  return SOFTWARE[blueprint.daemon].config?.(blueprint, place, password)
}

/** `bitcoin-knots-29.4.3`, of the first line that `--version` prints; undefined: it is another program. */
export function releaseOf({ daemon }: Pick<Blueprint, 'daemon'>, firstLine: string): string | undefined {
  const [, name, version] = SOFTWARE[daemon].version.exec(firstLine) ?? []
  return name && `${name.toLowerCase().replaceAll(' ', '-')}-${version}`
}

/** How long it may take to write what it has in memory to its disk when it is asked to stop. */
export function graceSecondsOf(blueprint: Pick<Blueprint, 'network'>): number {
  // litecoind waits for callers that are idle, for 30 s at most.
  return isOwnChain(blueprint) ? 40 : 600
}
