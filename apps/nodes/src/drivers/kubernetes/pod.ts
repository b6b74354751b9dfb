import { createHmac } from 'node:crypto'
import type { Blueprint, DaemonName } from '../../catalogue/blueprint.js'
import type { ProgramSetup } from '../../software/program-setup.js'
import { argsOf, commandOf, configOf, graceSecondsOf } from '../../software/software.js'
import type { DesiredMachine } from '../driver.js'
import { quantityOfCpus, quantityOfMiB } from './quantities.js'

/** The name of the container with the machine's program. */
export const NODE = 'node'
const CONSENSUS = 'consensus'
/** No user of the images, which differ; `fsGroup` makes the volume writable for it. */
const USER = 1000
const DATA = '/data'
const SECRETS = '/etc/trestle'
const CONFIG = 'node.conf'
const ENGINE_SECRET = 'engine.jwt'
const ENGINE_PORT = 8551
const PROBE_SECONDS = 10
/** A program that was killed may rebuild its whole index before it answers. */
const MAX_STARTUP_SECONDS = 86_400

/**
 * The path that each program answers with 200, without credentials, when it is up. Whether it has caught up is not probed: restarting a machine
 * that is behind would only delay it.
 */
const PROBE_PATHS: Partial<Record<DaemonName, string>> = {
  bitcoind: '/rest/chaininfo.json',
  litecoind: '/rest/chaininfo.json',
  'bitcoin-cash-node': '/rest/chaininfo.json',
  // geth answers an empty GET for health checks.
  geth: '/',
  'core-geth': '/',
}

/** Checkpoint providers: without one, syncing takes weeks. */
const CHECKPOINTS: Record<string, string> = {
  mainnet: 'https://mainnet.checkpoint.sigp.io',
  sepolia: 'https://checkpoint-sync.sepolia.ethpandaops.io',
  hoodi: 'https://checkpoint-sync.hoodi.ethpandaops.io',
}

/** Why no container can be made; undefined if one can. */
export function containerMissing(blueprint: Blueprint): string | undefined {
  const { daemon, software, container, consensus, chain, network } = blueprint
  if (!(daemon in PROBE_PATHS)) return `${daemon} is not supported in containers.`
  if (!container) return `The catalogue names no container image of ${software}.`
  if (!container.digest) return `The catalogue has no digest of ${container.image}; an image is never pulled by its tag alone.`
  if (chain !== 'eth' || network === 'dev') return undefined
  if (!consensus?.digest) return `${software} needs a consensus client, and the catalogue names no image with a digest for one.`
  return CHECKPOINTS[network] ? undefined : `No checkpoint provider is known for ${network}.`
}

export function p2pPortOf({ daemon, ports }: Blueprint): number {
  if (daemon === 'geth' || daemon === 'core-geth') return 30303
  // The programs' own default: 8333 for RPC on 8332.
  return rpcPortOf({ ports }) + 1
}

export function rpcPortOf({ ports }: Pick<Blueprint, 'ports'>): number {
  const [port] = ports
  if (port === undefined) throw new Error('A blueprint must have a port.')
  return port
}

/** The files of its Secret. */
export function secretsOf({ blueprint, password }: DesiredMachine): Record<string, string> {
  const config = configOf(blueprint, placeOf(blueprint), password)
  return {
    ...(config !== undefined && { [CONFIG]: config }),
    // Derived, so that it need not be stored.
    ...(blueprint.consensus && { [ENGINE_SECRET]: createHmac('sha256', password).update('engine').digest('hex') }),
  }
}

export function podSpecOf(machine: DesiredMachine): object {
  const { id, blueprint } = machine
  return {
    terminationGracePeriodSeconds: graceSecondsOf(blueprint),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      // Otherwise every start would walk a volume of terabytes.
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [nodeContainer(machine), ...(blueprint.consensus ? [consensusContainer(blueprint, blueprint.consensus)] : [])],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: id } },
      // 0440: readable for the group, which is the program's.
      { name: 'secrets', secret: { secretName: id, defaultMode: 0o440 } },
      { name: 'tmp', emptyDir: {} },
    ],
  }
}

function nodeContainer({ blueprint }: DesiredMachine): object {
  const { cpus, memoryMiB, container } = blueprint
  const memory = quantityOfMiB(memoryMiB)
  const probe = { httpGet: { path: PROBE_PATHS[blueprint.daemon], port: 'rpc' }, periodSeconds: PROBE_SECONDS, timeoutSeconds: 5 }
  return {
    ...containerOf(NODE, container),
    command: [commandOf(blueprint)],
    args: argsOf(blueprint, placeOf(blueprint)),
    ports: [
      { name: 'rpc', containerPort: rpcPortOf(blueprint), protocol: 'TCP' },
      { name: 'p2p', containerPort: p2pPortOf(blueprint), protocol: 'TCP' },
    ],
    // A CPU limit would only slow down syncing.
    resources: { requests: { cpu: quantityOfCpus(cpus), memory }, limits: { memory } },
    startupProbe: { ...probe, failureThreshold: MAX_STARTUP_SECONDS / PROBE_SECONDS },
    // It may be slow for five minutes: a restart costs more.
    livenessProbe: { ...probe, failureThreshold: 30 },
    readinessProbe: { ...probe, failureThreshold: 2 },
  }
}

/** Lighthouse's command line; another image must accept the same. */
function consensusContainer({ network }: Blueprint, image: Blueprint['consensus']): object {
  return {
    ...containerOf(CONSENSUS, image),
    command: ['lighthouse'],
    args: [
      'beacon_node',
      `--network=${network}`,
      `--datadir=${DATA}/consensus`,
      `--execution-endpoint=http://127.0.0.1:${ENGINE_PORT}`,
      `--execution-jwt=${SECRETS}/${ENGINE_SECRET}`,
      `--checkpoint-sync-url=${CHECKPOINTS[network]}`,
    ],
    resources: { requests: { cpu: '1', memory: '4Gi' }, limits: { memory: '8Gi' } },
  }
}

function containerOf(name: string, image: Blueprint['container']): object {
  return {
    name,
    image: `${image?.image}@${image?.digest}`,
    // So that the last lines of the log, such as about a full disk, are in the status.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'data', mountPath: DATA },
      { name: 'secrets', mountPath: SECRETS, readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
}

function placeOf(blueprint: Blueprint): ProgramSetup {
  return {
    dataDir: DATA,
    configFile: `${SECRETS}/${CONFIG}`,
    host: '0.0.0.0',
    rpcPort: rpcPortOf(blueprint),
    p2pPort: p2pPortOf(blueprint),
    ...(blueprint.consensus && { engineSecretFile: `${SECRETS}/${ENGINE_SECRET}` }),
  }
}
