// Points of the diagrams by pointer and by keys; each mark says in its aria-label what it shows.
{
}
