import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'

/** What one node has answered. */
export interface QuorumVote<A> {
  readonly answer: A
  /** The same for answers that mean the same. */
  readonly key: string
  /** Something speaks against it: nodes may lack the same. */
  readonly isDoubtful: boolean
}

/** The answers to one call so far. */
export class QuorumTally<A> {
  readonly votes: QuorumVote<A>[] = []

  constructor(private readonly size: QuorumSize) {}

  /** False where as many have answered as are asked: one more could make two groups of more than half. */
  add(vote: QuorumVote<A>): boolean {
    if (this.isFull) return false
    this.votes.push(vote)
    return true
  }

  get isFull(): boolean {
    return this.votes.length >= this.size.nodes
  }

  /** The largest number of equal answers. */
  get agreeing(): number {
    return Math.max(0, ...this.votes.map(({ key }) => this.countOf(key)))
  }

  /** What enough have answered. While more may answer, what is doubtful waits for them; an answer that is not speaks against it. */
  agreed(mayGrow: boolean, neededIfDoubtful = 0): QuorumVote<A> | undefined {
    const vote = this.votes.find(({ key }) => this.countOf(key) >= this.size.agreeing)
    if (!vote || !this.isDoubtful(vote.key)) return vote
    if (mayGrow || this.countOf(vote.key) < neededIfDoubtful) return undefined
    return this.votes.every(({ key, isDoubtful }) => key === vote.key || isDoubtful) ? vote : undefined
  }

  /** Whether so many more answers could still make enough equal ones. */
  canAgree(more: number): boolean {
    return this.agreeing + Math.min(more, this.size.nodes - this.votes.length) >= this.size.agreeing
  }

  private countOf(key: string): number {
    return this.votes.filter((vote) => vote.key === key).length
  }

  private isDoubtful(key: string): boolean {
    return this.votes.some((vote) => vote.key === key && vote.isDoubtful)
  }
}
