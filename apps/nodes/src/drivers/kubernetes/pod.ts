import { createHmac } from 'node:crypto'
import type { Blueprint, DaemonName } from '../../catalogue/blueprint.js'
import type { Place } from '../../software/place.js'
import { argsOf, commandOf, configOf, graceSecondsOf } from '../../software/software.js'
import type { DesiredMachine } from '../driver.js'
import { quantityOfCpus, quantityOfMiB } from './quantities.js'

/** The container with the machine's program. */
export const NODE = 'node'
const CONSENSUS = 'consensus'
/** Nobody: the images' own users differ, and `fsGroup` gives it the volume. */
const USER = 1000
const DATA = '/data'
const SECRETS = '/etc/trestle'
const CONFIG = 'node.conf'
const ENGINE_SECRET = 'engine.jwt'
const ENGINE_PORT = 8551
const PROBE_SECONDS = 10
/** A program that was killed may read its whole index again before it answers. */
const PATIENCE_SECONDS = 86_400

/**
 * What each answers with 200 when it answers calls, to whoever asks. Whether it has caught up is not asked: a machine that is behind is shown
 * to its owner as it is, and one that is started again for being behind is never in time.
 */
const ALIVE: Partial<Record<DaemonName, string>> = {
  bitcoind: '/rest/chaininfo.json',
  litecoind: '/rest/chaininfo.json',
  'bitcoin-cash-node': '/rest/chaininfo.json',
  // An empty request, which is answered for those who probe.
  geth: '/',
  'core-geth': '/',
}

/** Beacon nodes that the first state is taken from: without one, syncing takes weeks. */
const CHECKPOINTS: Record<string, string> = {
  mainnet: 'https://mainnet.checkpoint.sigp.io',
  sepolia: 'https://checkpoint-sync.sepolia.ethpandaops.io',
  hoodi: 'https://checkpoint-sync.hoodi.ethpandaops.io',
}

/** Why no container can be made of it; undefined: one can. */
export function containerMissing(blueprint: Blueprint): string | undefined {
  const { daemon, software, container, consensus, chain, network } = blueprint
  if (!(daemon in ALIVE)) return `${daemon} is not made for containers.`
  if (!container) return `The catalogue names no container image of ${software}.`
  if (!container.digest) return `The catalogue has no digest of ${container.image}, and an image is never taken by its tag alone.`
  if (chain !== 'eth' || network === 'dev') return undefined
  if (!consensus?.digest) return `${software} follows a consensus client, of which the catalogue names no image with a digest.`
  return CHECKPOINTS[network] ? undefined : `No beacon node is known to start from on ${network}.`
}

export function p2pPortOf({ daemon, ports }: Blueprint): number {
  if (daemon === 'geth' || daemon === 'core-geth') return 30303
  // As its programs choose by themselves: 8333 beside 8332.
  return rpcPortOf({ ports }) + 1
}

export function rpcPortOf({ ports }: Pick<Blueprint, 'ports'>): number {
  const [port] = ports
  if (port === undefined) throw new Error('A blueprint must have a port.')
  return port
}

/** What its program reads that nobody else may. */
export function secretsOf({ blueprint, password }: DesiredMachine): Record<string, string> {
  const config = configOf(blueprint, placeOf(blueprint), password)
  return {
    ...(config !== undefined && { [CONFIG]: config }),
    // Always the same, so that it need not be kept anywhere.
    ...(blueprint.consensus && { [ENGINE_SECRET]: createHmac('sha256', password).update('engine').digest('hex') }),
  }
}

/** The names of the objects that it uses are the machine's own. */
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
      // Otherwise every start reads all of a volume that may have terabytes.
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [nodeContainer(machine), ...(blueprint.consensus ? [consensusContainer(blueprint, blueprint.consensus)] : [])],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: id } },
      // 0440: for the group, which is the program's.
      { name: 'secrets', secret: { secretName: id, defaultMode: 0o440 } },
      { name: 'tmp', emptyDir: {} },
    ],
  }
}

function nodeContainer({ blueprint }: DesiredMachine): object {
  const { cpus, memoryMiB, container } = blueprint
  const memory = quantityOfMiB(memoryMiB)
  const probe = { httpGet: { path: ALIVE[blueprint.daemon], port: 'rpc' }, periodSeconds: PROBE_SECONDS, timeoutSeconds: 5 }
  return {
    ...containerOf(NODE, container),
    command: [commandOf(blueprint)],
    args: argsOf(blueprint, placeOf(blueprint)),
    ports: [
      { name: 'rpc', containerPort: rpcPortOf(blueprint), protocol: 'TCP' },
      { name: 'p2p', containerPort: p2pPortOf(blueprint), protocol: 'TCP' },
    ],
    // A limit of CPUs would only make it sync more slowly.
    resources: { requests: { cpu: quantityOfCpus(cpus), memory }, limits: { memory } },
    startupProbe: { ...probe, failureThreshold: PATIENCE_SECONDS / PROBE_SECONDS },
    // It may be slow for five minutes: to start it again costs more.
    livenessProbe: { ...probe, failureThreshold: 30 },
    readinessProbe: { ...probe, failureThreshold: 2 },
  }
}

/** Lighthouse, as its command line is; whatever the image, it must understand the same. */
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
    // What a full disk was told by, for one, is in its last words.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'data', mountPath: DATA },
      { name: 'secrets', mountPath: SECRETS, readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
}

function placeOf(blueprint: Blueprint): Place {
  return {
    dataDir: DATA,
    configFile: `${SECRETS}/${CONFIG}`,
    host: '0.0.0.0',
    rpcPort: rpcPortOf(blueprint),
    p2pPort: p2pPortOf(blueprint),
    ...(blueprint.consensus && { engineSecretFile: `${SECRETS}/${ENGINE_SECRET}` }),
  }
}
