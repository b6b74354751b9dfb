/** What a call may take: plain members, so that a test may set its own. */
export class CallBounds {
  /** Until an answer begins. Less than the 60 s after which a connection on which nothing moves is closed, so that the caller is told. */
  deadlineMs = 55_000
  answerBytes = 256 * 1024 * 1024
  /** Of answers that have to be here as a whole: those into which something is put, and of which there are several. */
  wholeBytes = 32 * 1024 * 1024
  callsOfOne = 64
  calls = 2_000
}
