import {
  type Budget,
  type BudgetStep,
  checkHead,
  debitCharge,
  openBudget,
  releaseCharge,
  reserveCharge,
  type SpendingWindow,
  spentWithin,
  tightenLimit,
  tightenWindow,
  tighterWindow,
} from '@parley/guardian'
import { type LedgerClaim, type LedgerEntry, ledgerHead } from '@parley/protocol'
import { refuse, type Refused } from '../session/refuse.js'
import { createSerial, type Serial } from '../session/serial.js'
import type { Store, Write } from '../store/store.js'
import {
  type ChainName,
  chainName,
  chainTime,
  type ChainTip,
  entryWrites,
  isKnownHead,
  readTip,
  recentWith,
  tipOf,
} from './chain.js'
import { debitEntry, openEntry, type Pen } from './entry.js'
import { MOST_PAIR_MILLIBITS, pairSpent, pairWrite } from './pair.js'

/** A step of a chain, and what makes it durable. */
export type LedgerStep = { readonly head: LedgerEntry; readonly writes: readonly Write[] }

/** A charge, and the entries around it. */
export type LedgerDebit = LedgerStep & { readonly before: LedgerEntry }

/**
 * The budgets of all owners. Spent is what the store's chains say; reserved lives in memory, as open sessions do.
 * Whoever reads a chain in order to extend it does so inside {@link LedgerBook.exclusive}.
 */
export type LedgerBook = {
  readonly exclusive: Serial
  /** Whether a claim that has just been made may be accepted: its limit, and all of {@link LedgerBook.fits}. */
  readonly check: (claim: LedgerClaim, charge: number) => Refused | undefined
  /** Whether the head rule holds for an accepted claim, and the charge still fits. */
  readonly fits: (claim: LedgerClaim, charge: number) => Refused | undefined
  /** The head that an offer names; the chain's first entry under this keyset where there was none. */
  readonly headFor: (claim: LedgerClaim) => LedgerStep
  /** Sets a session's charge aside. @throws RangeError where {@link LedgerBook.fits} would have refused */
  readonly reserve: (session: string, claim: LedgerClaim, charge: number) => void
  /** Gives a session's charge back. */
  readonly release: (session: string, claim: LedgerClaim) => void
  /**
   * The entry that charges a session. The reservation stands until {@link LedgerBook.settle}.
   * @param others the DIDs of those who learn the output with the owner
   */
  readonly debit: (session: string, claim: LedgerClaim, others: readonly string[]) => LedgerDebit
  /** Turns a reservation into what was spent, once the debit is durable. */
  readonly settle: (session: string, claim: LedgerClaim) => void
}

/** The budgets over one store. */
export function createLedgerBook(store: Store, pen: Pen): LedgerBook {
  const live = new Map<string, Budget>()
  const standing = (claim: LedgerClaim): ChainTip | null =>
    readTip(store, chainName(claim), pen.keys)?.tip ?? (claim.head === null ? null : tipOf(claim.head))
  const budgetOf = (claim: LedgerClaim): Budget => live.get(keyOf(claim)) ?? budgetAt(standing(claim), claim)
  const keep = (claim: LedgerClaim, budget: Budget): void => {
    // Without a reservation the chain says everything.
    if (budget.reserved.size > 0) live.set(keyOf(claim), budget)
    else live.delete(keyOf(claim))
  }
  const fits = (claim: LedgerClaim, charge: number): Refused | undefined =>
    checkHeadRule(store, pen, claim) ??
    checkBudget(underClaim(budgetOf(claim), claim), charge) ??
    checkWindow(standing(claim), { claim, budget: budgetOf(claim), charge, now: pen.clock.nowSeconds() })
  return {
    exclusive: createSerial(),
    check: (claim, charge) =>
      fits(claim, charge) ??
      checkLimit(budgetOf(claim), claim) ??
      checkTighter(standing(claim)?.window ?? null, claim),
    fits,
    headFor: (claim) => {
      const name = chainName(claim)
      const known = readTip(store, name, pen.keys)
      if (known?.entry) return { head: known.entry, writes: [] }
      const from = standing(claim)
      return grown(
        name,
        openEntry(pen, claim, from, Math.min(from?.limit_millibits ?? Infinity, claim.limit_millibits)),
        from?.recent ?? [],
      )
    },
    reserve: (session, claim, charge) => {
      keep(claim, must(reserveCharge(underClaim(budgetOf(claim), claim), session, charge)))
    },
    release: (session, claim) => {
      keep(claim, taken(releaseCharge(budgetOf(claim), session), budgetOf(claim)))
    },
    debit: (session, claim, others) => {
      const name = chainName(claim)
      const { tip, entry: before } = readTip(store, name, pen.keys) ?? {}
      const { reserved, limit_millibits } = budgetOf(claim)
      const charge = reserved.get(session)
      if (!tip || !before || charge === undefined) throw new RangeError('a debit without an offer')
      const limit = Math.min(before.limit_millibits, limit_millibits)
      const spent_millibits = Math.min(pairSpent(store, name.ownerKey, others) + charge, MOST_PAIR_MILLIBITS)
      const pair = { spent_millibits, limit_millibits: claim.pair_limit_millibits ?? null }
      const entry = debitEntry(pen, claim, tip, { session, charge, limit, pair })
      const recent = recentWith(tip, charge, { window: entry.window ?? null, now: entry.at })
      const { head, writes } = grown(name, entry, recent)
      return { before, head, writes: [...writes, pairWrite(name.ownerKey, others, spent_millibits)] }
    },
    settle: (session, claim) => {
      keep(claim, taken(debitCharge(budgetOf(claim), session), budgetOf(claim)))
    },
  }
}

const keyOf = (claim: LedgerClaim): string => {
  const { ownerKey, tag } = chainName(claim)
  return `${ownerKey}/${tag}`
}

const budgetAt = (tip: ChainTip | null, claim: LedgerClaim): Budget => ({
  ...openBudget(tip?.limit_millibits ?? claim.limit_millibits),
  spent_millibits: tip?.spent_millibits ?? 0,
})

const grown = (name: ChainName, head: LedgerEntry, recent: ChainTip['recent']): LedgerStep => ({
  head,
  writes: entryWrites(name, head, recent),
})

const checkHeadRule = (store: Store, { keys }: Pen, claim: LedgerClaim): Refused | undefined => {
  const name = chainName(claim)
  const tip = readTip(store, name, keys)?.tip
  // One key under two names would have entries that do not fit the participant of a receipt.
  if (tip !== undefined && tip.owner !== claim.owner)
    return refuse('ledger_claim_refused', 'owner_mismatch /ledger/owner')
  if (claim.head === null) return undefined
  const head = ledgerHead(claim.head)
  const heads = [...(isKnownHead(store, name, head) ? [head] : []), ...(tip === undefined ? [] : [tip.head])]
  const carried = { head, keyset_digest: claim.head.keyset_digest }
  return checkHead({ heads, keyset_digest: keys.keysetDigest }, carried).ok
    ? undefined
    : refuse('ledger_head_unknown')
}

/** The limit may only fall: a stolen key would raise it. */
const checkLimit = (budget: Budget, claim: LedgerClaim): Refused | undefined => {
  const tightened = tightenLimit(budget, claim.limit_millibits)
  return tightened.ok
    ? undefined
    : refuse('ledger_claim_refused', `${tightened.code} /ledger/limit_millibits`)
}

/** What is reserved counts as charged now: it may be at any time. */
const checkWindow = (
  tip: ChainTip | null,
  asked: {
    readonly claim: LedgerClaim
    readonly budget: Budget
    readonly charge: number
    readonly now: number
  },
): Refused | undefined => {
  const { claim, budget, charge, now } = asked
  const window = tighterWindow(tip?.window ?? null, claim.window ?? null)
  if (window === null) return undefined
  const recent = tip?.recent ?? []
  const spent = spentWithin(recent, window.seconds, chainTime({ recent }, now))
  const reserved = [...budget.reserved.values()].reduce((sum, each) => sum + each, 0)
  return spent + reserved + charge > window.limit_millibits ? refuse('budget_exhausted') : undefined
}

/** A window may only be narrowed, as the limit may only fall. */
const checkTighter = (standing: SpendingWindow | null, { window }: LedgerClaim): Refused | undefined => {
  const step = tightenWindow(standing, window ?? null)
  return step.ok ? undefined : refuse('ledger_claim_refused', `${step.code} /ledger/window`)
}

const checkBudget = (budget: Budget, charge: number): Refused | undefined =>
  reserveCharge(budget, '', charge).ok ? undefined : refuse('budget_exhausted')

const underClaim = (budget: Budget, claim: LedgerClaim): Budget => ({
  ...budget,
  limit_millibits: Math.min(budget.limit_millibits, claim.limit_millibits),
})

/** After a commit nothing may fail any more, or it would be made a second time. */
const taken = (step: BudgetStep, otherwise: Budget): Budget => (step.ok ? step.budget : otherwise)

const must = (step: BudgetStep): Budget => {
  if (!step.ok) throw new RangeError(`ledger: ${step.code}`)
  return step.budget
}
