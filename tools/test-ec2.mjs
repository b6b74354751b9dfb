// npm run test:ec2: tests the EC2 driver against moto, which simulates EC2. moto and its Python come from Debian's packages.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { motoProgram } from './ec2/programs.mjs'
import { root, run, step } from './progress.mjs'

const dir = join(root, '.data/ec2')
const PATIENCE_MS = 60_000

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => process.exit(1))
try {
  await run('Building', ['turbo', 'run', 'build', '--filter=@trestle/devnet...', '--ui=stream', '--output-logs=new-only'], { log: 'build' })
  const program = await motoProgram()
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const moto = await step('Starting moto', () => startMoto(program))
  const env = { ...process.env, EC2_ENDPOINT_OF_MOTO: moto.url }
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
  const suite = ['node', ...jest, '--config', 'apps/nodes/jest.config.js', '--runInBand', '--verbose', '--testMatch', '**/*.moto.ts']
  await run('Testing the driver', suite, { log: 'test-ec2', env }).finally(() => moto.stop())
  console.log('\nThe EC2 driver passed on moto. Every test is in .data/logs/test-ec2.log.')
  process.exit()
} catch (error) {
  console.error(`\n${error.message}\n\nThe log of moto is in ${dir}.`)
  process.exit(1)
}

async function startMoto({ command: [command, ...args], env }) {
  const { freePorts } = await import('../packages/devnet/dist/ports.js')
  const { startProcess } = await import('../packages/devnet/dist/process.js')
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const moto = startProcess({ name: 'moto', command, args: [...args, '-H', '127.0.0.1', '-p', port], env, log: join(dir, 'moto.log') })
  const end = Date.now() + PATIENCE_MS
  while (!(await fetch(`${url}/moto-api/data.json`).catch(() => undefined))) {
    if (!moto.isRunning() || Date.now() > end) throw new Error(`moto does not answer:\n${moto.lastLines()}`)
    await delay(100)
  }
  return { url, stop: () => moto.stop() }
}
