#pragma once

#include <filesystem>

#include "core/record/wires.hpp"

namespace beff {

/// Reads the counters of all ports of this host: of RDMA devices (InfiniBand, RoCE, Slingshot, EFA)
/// from a tree like /sys, of all network interfaces from one like /proc; without payload. RDMA
/// bypasses the interface of the same port, so nothing is counted twice; interfaces that send by
/// others (bonds, bridges, VLANs, IP over InfiniBand) are left out. What cannot be read is left
/// out.
HostWires read_port_counters(const std::filesystem::path& sys, const std::filesystem::path& proc);

}  // namespace beff
