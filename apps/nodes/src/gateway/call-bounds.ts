/** Bounds of calls: plain members, so that a test may set its own. */
export class CallBounds {
  /** Until an answer begins. Less than the 60 s after which an idle connection is closed, so that the caller gets a problem. */
  deadlineMs = 55_000
  answerBytes = 256 * 1024 * 1024
  /** Of answers that are read as a whole: those that are joined with refusals, and those of several members. */
  wholeBytes = 32 * 1024 * 1024
  callsOfOne = 64
  calls = 2_000
}
