import { accessSync, constants, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import type { CommandRun } from '../command/command.js'
import { type DoctorCheck, nodeCheck, spaceCheck } from './doctor-check.js'

const INGRESS_PORT = 8080
const INTERNAL = 1000
const DISK_GIB = 3
const MEMORY_GIB = 4

interface Program {
  readonly name: string
  /** Any one of these. */
  readonly programs: readonly string[]
  readonly folders?: readonly string[]
  readonly isNeeded?: true
  readonly advice: string
}

const FETCHED = 'trestle up fetches it on Linux; elsewhere'
const PROGRAMS: readonly Program[] = [
  { name: 'git', programs: ['git'], isNeeded: true, advice: 'apt-get install git, brew install git' },
  {
    name: 'nats-server',
    programs: ['nats-server'],
    folders: ['/usr/sbin'],
    advice: `${FETCHED}: brew install nats-server, https://nats.io/download`,
  },
  { name: 'bitcoind', programs: ['bitcoind'], advice: `${FETCHED}: https://bitcoincore.org/en/download` },
  { name: 'litecoind', programs: ['litecoind'], folders: ['/usr/lib/litecoin'], advice: `${FETCHED}: https://litecoin.org` },
  {
    name: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    advice: 'For the tests of the console: apt-get install chromium',
  },
  { name: 'Docker', programs: ['docker'], advice: 'To deploy on one machine: https://docs.docker.com/engine/install' },
  { name: 'kubectl', programs: ['kubectl'], advice: 'To deploy on Kubernetes: https://kubernetes.io/docs/tasks/tools' },
]

/** Checks the programs and resources that Trestle uses. */
export async function checkMachine({ env }: Pick<CommandRun, 'env'>): Promise<DoctorCheck[]> {
  const { bavail, bsize } = statfsSync('.')
  return [
    nodeCheck(process.versions.node),
    ...PROGRAMS.map((program) => programCheck(program, env.path)),
    spaceCheck('disk', bavail * bsize, DISK_GIB),
    spaceCheck('memory', freemem(), MEMORY_GIB),
    await portsCheck(),
  ]
}

function programCheck({ name, programs, folders = [], isNeeded, advice }: Program, path: readonly string[]): DoctorCheck {
  const places = [...path, ...folders].flatMap((folder) => programs.map((program) => join(folder, program)))
  const found = places.find(isExecutable)
  return { name, state: found ? 'ok' : isNeeded ? 'missing' : 'optional', found: found ?? 'not found', advice }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function portsCheck(): Promise<DoctorCheck> {
  const ports = [INGRESS_PORT, ...DEPLOYMENTS.map(({ port }) => port)].flatMap((port) => [port, port + INTERNAL])
  const free = await Promise.all(ports.map(isFree))
  const taken = ports.filter((_, index) => !free[index])
  const found = taken.length === 0 ? 'free' : `taken: ${taken.join(', ')}`
  const advice = 'Expected while Trestle runs here. Otherwise stop what listens there, or: trestle up --port <port>'
  return { name: 'ports', state: taken.length === 0 ? 'ok' : 'optional', found, advice }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
