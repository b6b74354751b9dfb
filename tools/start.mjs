// npm start: builds and starts the platform, prints its addresses, and stops it on request.
import { join, relative, resolve } from 'node:path'
import { root, run, step } from './progress.mjs'
import { parseOptions } from './start-options.mjs'

const startedAt = Number(process.env.TRESTLE_STARTED_AT)

try {
  await start(parseOptions(process.argv.slice(2)))
} catch (error) {
  console.error(`\n${error.message}`)
  process.exit(1)
}

async function start({ port, dataDir, ...options }) {
  await run('Building', ['turbo', 'run', 'build', '--ui=stream', '--log-order=grouped', '--output-logs=new-only'], { log: 'build' })
  const { startDevnet } = await import('../packages/devnet/dist/devnet.js')
  const { portsFrom } = await import('../packages/devnet/dist/deployments.js')
  const interrupted = untilInterrupted()
  const devnet = await startDevnet({
    ...options,
    dataDir: resolve(root, dataDir),
    ports: { ...portsFrom(process.env, options.chains), ...(port && { ingress: port }) },
    databaseUrl: process.env.DATABASE_URL || undefined,
    natsUrl: process.env.NATS_URL || undefined,
    step,
    signal: interrupted.signal,
  })
  console.log(screen(devnet, resolve(root, dataDir)))
  const failure = await Promise.race([devnet.failed, interrupted.promise])
  console.log('\nStopping ...')
  await devnet.stop()
  if (failure) throw new Error(`${failure}\n\nEverything was stopped.`)
  console.log('Stopped. The data is kept for the next start.')
  process.exit()
}

/** Ctrl-C, a signal, or the end of the process that started this one. */
function untilInterrupted() {
  const controller = new AbortController()
  const promise = new Promise((interrupt) => {
    const stop = () => {
      controller.abort()
      interrupt()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
    process.on('disconnect', stop)
  })
  // Keeps this process alive: the others do not.
  const alive = setInterval(() => {}, 2 ** 30)
  controller.signal.addEventListener('abort', () => clearInterval(alive))
  return { promise, signal: controller.signal }
}

function screen({ info, notes }, folder) {
  const dataDir = folder.startsWith(root) ? relative(root, folder) : folder
  const { ingress, demo, admin, mailbox } = info
  const services = Object.entries(info.services).map(([name, { url }]) => `${name} ${new URL(url).port}`)
  const chains = Object.entries(info.chains).map(
    ([name, { daemon, address }]) =>
      `\n  Chain      ${name}: ${daemon}; ${address ? `an address with a long history: ${address}` : 'it starts empty: make blocks with generatetoaddress'}`,
  )
  const gateways = Object.entries(info.ethereum).map(([name, { nodes, projectUrl }]) => {
    return `\n  Chain      ${name}: anvil, ${Object.keys(nodes).length} nodes${projectUrl ? `; the demo project: ${projectUrl}` : ''}`
  })
  const staking = info.staking
    ? `\n  Chain      staking: a beacon chain over anvil, slots of 2 s; regions: ${info.staking.regions.join(', ')}`
    : ''
  const nodes = info.nodes ? `\n  Nodes      can be made of ${info.nodes.images.join(', ') || 'nothing here'}` : ''
  const [project] = Object.values(info.ethereum).flatMap(({ projectUrl }) => projectUrl ?? [])
  const question = `-H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`
  return `
  Trestle is ready, after ${Math.round((Date.now() - startedAt) / 1000)} s.

  ${info.services.console ? 'Console' : 'Ingress'}    ${ingress}
  API        ${ingress}/accounts/docs
  Mailbox    ${mailbox}
  Demo user  ${demo.email}   ${demo.password}
  Admin      ${admin.email}  ${admin.password}
  Services   ${services.join(', ')}${chains.join('')}${gateways.join('')}${staking}${nodes}
${notes.map((note) => `\n  Note: ${note}\n`).join('')}
  A first call, in another terminal:
    curl -X POST -u '${demo.email}:${demo.password}' ${ingress}/accounts/auth${project ? `\n    curl ${question} ${project}` : ''}

  All addresses: ${join(dataDir, 'devnet.json')}. Logs: ${join(dataDir, 'logs')}. Ctrl-C stops everything.
`
}
