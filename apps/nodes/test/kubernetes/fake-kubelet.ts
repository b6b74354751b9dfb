import { createServer, type Server, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Admin, AnyObject } from './admin.js'

const NODE = 'fake-node'
const LOG = ['a log begins', 'it goes on', 'and ends here']
const PAUSE_MS = 10
/** The back-off before a restart. */
const RESTART_MS = 1_500

/** Scheduler, kubelet and volume provisioner in one. It runs no container but reports that they run, and serves logs to a real API server. */
export class FakeKubelet {
  /** Statuses to report instead of running, by pod. */
  readonly statuses = new Map<string, object>()
  /** How often it has reconciled everything. */
  rounds = 0
  private readonly crashed = new Map<string, number>()
  private isStopped = false
  private working: Promise<void> = Promise.resolve()
  private logs?: Server

  private constructor(
    private readonly admin: Admin,
    private readonly namespace: string,
  ) {}

  /** Only a real API server has a certificate for us, and requests logs. */
  static async start(admin: Admin, namespace: string, certificate?: ServerOptions): Promise<FakeKubelet> {
    const kubelet = new FakeKubelet(admin, namespace)
    await admin.put('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } })
    if (certificate) await kubelet.serveLogs(certificate)
    kubelet.working = kubelet.work()
    return kubelet
  }

  /** Kills the pod's program. */
  async crash(pod: string): Promise<void> {
    this.crashed.set(pod, Date.now() + RESTART_MS)
    await this.saveStatus(pod, containers({ terminated: { exitCode: 137, reason: 'Error' } }))
  }

  /** Reports this status of the pod from now on. */
  async report(pod: string, status: object): Promise<void> {
    this.statuses.set(pod, status)
    await this.saveStatus(pod, status)
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.working
    this.logs?.closeAllConnections()
    this.logs?.close()
  }

  private async serveLogs(certificate: ServerOptions): Promise<void> {
    const logs = createServer(certificate, (request, response) => {
      const tailLines = new URL(request.url ?? '', 'https://kubelet').searchParams.get('tailLines')
      response.end(`${LOG.slice(-Number(tailLines ?? LOG.length)).join('\n')}\n`)
    })
    this.logs = logs
    await new Promise<void>((resolve) => logs.listen(0, '127.0.0.1', resolve))
    const { port } = logs.address() as AddressInfo
    const status = { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }], daemonEndpoints: { kubeletEndpoint: { Port: port } } }
    await this.admin.patch(`/api/v1/nodes/${NODE}/status`, { status })
  }

  private async work(): Promise<void> {
    while (!this.isStopped) {
      for (const pod of await this.admin.list(`${this.here}/pods`)) await this.reconcile(pod)
      for (const claim of await this.admin.list(`${this.here}/persistentvolumeclaims`)) await this.provide(claim)
      this.rounds++
      await delay(PAUSE_MS)
    }
  }

  private async reconcile(pod: AnyObject): Promise<void> {
    const { name, deletionTimestamp } = pod.metadata
    if (deletionTimestamp) {
      this.crashed.delete(name)
      return this.admin.remove(`${this.here}/pods/${name}`, { gracePeriodSeconds: 0 })
    }
    if (!pod.spec.nodeName) {
      const target = { apiVersion: 'v1', kind: 'Node', name: NODE }
      return this.admin.put(`${this.here}/pods/${name}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target })
    }
    if ((this.crashed.get(name) ?? 0) > Date.now()) return
    const isRunning = pod.status?.containerStatuses?.[0]?.state?.running !== undefined
    if (!isRunning || this.statuses.has(name)) await this.saveStatus(name, this.statuses.get(name) ?? containers({ running: {} }))
  }

  private saveStatus(pod: string, status: object): Promise<void> {
    return this.admin.patch(`${this.here}/pods/${pod}/status`, { status })
  }

  /** A volume for every claim, of the size that it requests now. */
  private async provide({ metadata: { name, uid }, spec, status }: AnyObject): Promise<void> {
    const volume = `volume-${uid}`
    const capacity = spec.resources.requests
    if (!spec.volumeName)
      return this.admin.put('/api/v1/persistentvolumes', {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: volume },
        spec: {
          capacity,
          accessModes: ['ReadWriteOnce'],
          storageClassName: spec.storageClassName,
          claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: this.namespace, name, uid },
          hostPath: { path: '/nowhere' },
        },
      })
    if (status.phase !== 'Bound' || status.capacity?.storage === capacity.storage) return
    await this.admin.patch(`/api/v1/persistentvolumes/${volume}`, { spec: { capacity } })
    await this.admin.patch(`${this.here}/persistentvolumeclaims/${name}/status`, { status: { capacity } })
  }

  private get here(): string {
    return `/api/v1/namespaces/${this.namespace}`
  }
}

/** The status of a pod whose only container is in this state. */
export function containers(state: object, lastState: object = {}): object {
  const isReady = 'running' in state
  const status = { name: 'node', image: 'any', imageID: '', ready: isReady, restartCount: 0, state, lastState }
  return { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }], containerStatuses: [status] }
}
