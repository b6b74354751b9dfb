import type { RunningProcess } from './process.js'

interface Member {
  process: RunningProcess
  readonly start: () => Promise<RunningProcess>
}

/** Keeps a set of processes running, each under its name. */
export class Supervisor {
  private readonly members = new Map<string, Member>()
  private readonly dismissed = new WeakSet<RunningProcess>()
  private isOver = false
  private readonly end = Promise.withResolvers<string>()
  /** Settles when a process has ended that nobody told to. */
  readonly failed: Promise<string> = this.end.promise

  /** Settles when the process is ready for use. */
  async start(name: string, start: () => Promise<RunningProcess>): Promise<void> {
    const process = await start()
    if (this.isOver) {
      await process.stop()
      throw new Error(`${name} came up while everything was being stopped.`)
    }
    this.members.set(name, { process, start })
    void process.exited.then((reason) => {
      if (!this.dismissed.has(process)) this.end.resolve(`${name} has ended (${reason}). Its last lines:\n${process.lastLines()}`)
    })
  }

  kill(name: string, signal: NodeJS.Signals): void {
    const { process } = this.member(name)
    this.dismissed.add(process)
    process.kill(signal)
  }

  async restart(name: string): Promise<void> {
    const { start } = this.member(name)
    await this.stop([name])
    await this.start(name, start)
  }

  pidOf(name: string): number {
    return this.member(name).process.pid
  }

  /** The `last` ones when the others, which need them, have ended. Nothing is started any more. */
  async stopAll(last: readonly string[]): Promise<void> {
    this.isOver = true
    const names = [...this.members.keys()]
    await this.stop(names.filter((name) => !last.includes(name)))
    await this.stop(names.filter((name) => last.includes(name)))
  }

  private async stop(names: readonly string[]): Promise<void> {
    const processes = names.map((name) => this.member(name).process)
    for (const process of processes) this.dismissed.add(process)
    await Promise.all(processes.map((process) => process.stop()))
  }

  private member(name: string): Member {
    const member = this.members.get(name)
    if (!member) throw new Error(`There is no ${name} here, only ${[...this.members.keys()].join(', ')}.`)
    return member
  }
}
