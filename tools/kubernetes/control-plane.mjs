// A real etcd, kube-apiserver and kube-controller-manager on loopback, and no kubelet: what is between their APIs is all there is.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '../../packages/devnet/dist/ports.js'
import { startProcess } from '../../packages/devnet/dist/process.js'

const PATIENCE_MS = 60_000
const ADMIN_TOKEN = 'admin-of-the-test'
// What clouds and kubelets are needed for.
const WITHOUT = ['nodeipam', 'nodelifecycle', 'cloud-node-lifecycle', 'route', 'service', 'csrsigning']

/** Starts them in the folder, which must be empty. */
export async function startControlPlane(programs, dir) {
  mkdirSync(dir, { recursive: true })
  const [client, peer, secure, manager] = await freePorts(4)
  const etcdUrl = `http://127.0.0.1:${client}`
  const url = `https://127.0.0.1:${secure}`
  const file = (name) => join(dir, name)
  const start = (name, options) => {
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
    return startProcess({ name, command: join(programs, name), args, cwd: dir, log: file(`${name}.log`) })
  }
  const etcd = start('etcd', {
    'data-dir': file('etcd'),
    'listen-client-urls': etcdUrl,
    'advertise-client-urls': etcdUrl,
    'listen-peer-urls': `http://127.0.0.1:${peer}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${peer}`,
    'initial-cluster': `default=http://127.0.0.1:${peer}`,
  })
  writeKeys(dir)
  await until('etcd has something to forget', etcd, () => haveForgotten(etcdUrl))
  const api = start('kube-apiserver', {
    'etcd-servers': etcdUrl,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': secure,
    'cert-dir': file('certs'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': file('sa.pub'),
    'service-account-signing-key-file': file('sa.key'),
    'token-auth-file': file('tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.0.0.0/24',
    'disable-admission-plugins': 'ServiceAccount',
  })
  const access = { url, tokenFile: file('admin.token'), caFile: file('certs/apiserver.crt') }
  await until('kube-apiserver is ready', api, () => answers(`${url}/readyz`, access.caFile))
  writeFileSync(file('manager.yaml'), kubeconfig(url))
  const controllers = start('kube-controller-manager', {
    kubeconfig: file('manager.yaml'),
    'bind-address': '127.0.0.1',
    'secure-port': manager,
    port: 0,
    'leader-elect': false,
    'cert-dir': file('manager-certs'),
    'service-account-private-key-file': file('sa.key'),
    controllers: ['*', ...WITHOUT.map((name) => `-${name}`)].join(','),
  })
  return {
    access,
    async stop() {
      for (const each of [controllers, api, etcd]) await each.stop()
    },
  }
}

function writeKeys(dir) {
  execFileSync('openssl', ['genrsa', '-out', join(dir, 'sa.key'), '2048'], { stdio: 'ignore' })
  execFileSync('openssl', ['rsa', '-in', join(dir, 'sa.key'), '-pubout', '-out', join(dir, 'sa.pub')], { stdio: 'ignore' })
  writeFileSync(join(dir, 'admin.token'), ADMIN_TOKEN)
  // Somebody who may do nothing, but for what a Role says. The one of the deployed manifests is given to it.
  writeFileSync(join(dir, 'restricted.token'), 'restricted-of-the-test')
  writeFileSync(join(dir, 'tokens.csv'), `${ADMIN_TOKEN},admin,admin,"system:masters"\nrestricted-of-the-test,restricted,restricted\n`)
}

function kubeconfig(server) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  })
}

/** Also with its certificate, which the driver will insist on. */
function answers(url, caFile) {
  try {
    const args = ['--silent', '--fail', '--max-time', '2', '--cacert', caFile, '--header', `Authorization: Bearer ${ADMIN_TOKEN}`, url]
    return execFileSync('curl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) === 'ok'
  } catch {
    return false
  }
}

/** Before the API server is there: of versions that are older than its own first one it can tell nothing, which takes it days otherwise. */
async function haveForgotten(etcdUrl) {
  const body = JSON.stringify({ key: Buffer.from('forgotten').toString('base64'), value: '' })
  const puts = Array.from({ length: 10 }, () => fetch(`${etcdUrl}/v3/kv/put`, { method: 'POST', body }))
  return (await Promise.allSettled(puts)).every(({ value }) => value?.ok)
}

async function until(what, process, isSo) {
  const end = Date.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (!process.isRunning()) throw new Error(`${process.name} has ended (${await process.exited}):\n${process.lastLines()}`)
    if (Date.now() > end) throw new Error(`Waited in vain: ${what}.\n${process.lastLines()}`)
    await delay(100)
  }
}
