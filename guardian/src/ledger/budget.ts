/** An owner's budget for one secret, across all counterparties. Every figure is in whole thousandths of a bit. */
export type Budget = {
  readonly limit_millibits: number
  readonly spent_millibits: number
  /** What open offers may still spend, by session. */
  readonly reserved: ReadonlyMap<string, number>
}

/** Why a budget does not change. The union is closed. */
export type BudgetCode =
  | 'budget_exhausted'
  | 'amount_malformed'
  | 'limit_raised'
  | 'reservation_exists'
  | 'reservation_unknown'

/** The budget after a step, or why there was none. */
export type BudgetStep =
  | { readonly ok: true; readonly budget: Budget }
  | { readonly ok: false; readonly code: BudgetCode }

/** A budget of which nothing is spent. */
export const openBudget = (limit_millibits: number): Budget => ({
  limit_millibits,
  spent_millibits: 0,
  reserved: new Map(),
})

/**
 * Sets a session's charge aside at the offer, so that sessions that run at once cannot spend the same bits.
 * @param charge whole thousandths of a bit, at least 0
 * @see protocol SPEC §11
 */
export const reserveCharge = (budget: Budget, session: string, charge: number): BudgetStep => {
  if (!Number.isSafeInteger(charge) || charge < 0) return no('amount_malformed')
  if (budget.reserved.has(session)) return no('reservation_exists')
  if (committed(budget) + charge > budget.limit_millibits) return no('budget_exhausted')
  return yes({ ...budget, reserved: new Map([...budget.reserved, [session, charge]]) })
}

/** Spends what a session has reserved: at the commit, whatever its outcome. @see protocol SPEC §11 */
export const debitCharge = (budget: Budget, session: string): BudgetStep => {
  const charge = budget.reserved.get(session)
  if (charge === undefined) return no('reservation_unknown')
  return yes({ ...withoutReservation(budget, session), spent_millibits: budget.spent_millibits + charge })
}

/** Gives back what a session has reserved: when it ended without having been evaluated. @see protocol SPEC §11 */
export const releaseCharge = (budget: Budget, session: string): BudgetStep =>
  budget.reserved.has(session) ? yes(withoutReservation(budget, session)) : no('reservation_unknown')

/**
 * Lowers the limit; it never rises, since a stolen key would raise it. What was reserved before stays
 * reserved: its owner consented to it.
 */
export const tightenLimit = (budget: Budget, limit_millibits: number): BudgetStep => {
  if (!Number.isSafeInteger(limit_millibits) || limit_millibits < 0) return no('amount_malformed')
  return limit_millibits > budget.limit_millibits ? no('limit_raised') : yes({ ...budget, limit_millibits })
}

/** Spent and reserved together. */
const committed = ({ spent_millibits, reserved }: Budget): number =>
  [...reserved.values()].reduce((sum, charge) => sum + charge, spent_millibits)

const withoutReservation = (budget: Budget, session: string): Budget => ({
  ...budget,
  reserved: new Map([...budget.reserved].filter(([other]) => other !== session)),
})

const yes = (budget: Budget): BudgetStep => ({ ok: true, budget })
const no = (code: BudgetCode): BudgetStep => ({ ok: false, code })
